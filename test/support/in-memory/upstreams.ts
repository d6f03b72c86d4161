import {
  CALL_RESULTS,
  type CallCounts,
  type LineState,
  onlyUpstream,
  type PoolState,
  type PoolStates,
  type ReturnedPlace,
  type TakenPlace,
} from '../../../functions/upstream/domain/pool.ts';
import { upstreamPauses } from '../../../functions/upstream/domain/process-pauses.ts';
import { ALL_MODELS, type CoolDown, NEW_STATE } from '../../../functions/upstream/domain/upstream-state.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import type { WaitingLine } from '../../../functions/videos/domain/task.ts';
import { anUpstream } from '../builders/upstream.ts';
import { type Call, callAtOnce } from './call.ts';
import type { MemoryTasks } from './tasks.ts';

type Entry = {
  isDisabled: boolean;
  failures: number;
  readonly coolDowns: Map<string, CoolDown>;
  readonly starts: Map<string, number>;
  readonly places: Map<string, number>;
};

/** The table of the upstreams: their state, the lines and the tickets. */
export class MemoryPool {
  readonly #upstreams = new Map<string, Entry>();
  readonly #lines = new Map<string, LineState>();
  /** By upstream and day. */
  readonly counts = new Map<string, CallCounts>();
  readonly #tickets = new Map<string, number>();

  entry(name: string): Entry {
    const known = this.#upstreams.get(name);
    if (known !== undefined) return known;
    const entry = {
      ...NEW_STATE,
      coolDowns: new Map<string, CoolDown>(),
      starts: new Map<string, number>(),
      places: new Map<string, number>(),
    };
    this.#upstreams.set(name, entry);
    return entry;
  }

  /** Copies, so that a worker keeps what it has read. */
  readonly read = (): PoolState => structuredClone({ upstreams: this.#upstreams, lines: this.#lines });

  /** False if the place is no longer free; the conditions are those of the table. */
  readonly take = (taken: TakenPlace): boolean => {
    const { starts, places } = this.entry(taken.upstream);
    const past = taken.pastPlaces.filter((name) => name !== taken.taskId);
    const isKnown =
      taken.pastStarts.every((name) => starts.has(name)) && past.every((name) => places.has(name));
    const mayStart = starts.size < (taken.submitsPerMinute ?? Infinity) + taken.pastStarts.length;
    const canStart = places.has(taken.taskId) || places.size < (taken.videosAtOnce ?? Infinity) + past.length;
    if (!isKnown || !mayStart || !canStart) return false;
    for (const name of taken.pastStarts) starts.delete(name);
    for (const name of past) places.delete(name);
    if (taken.submitsPerMinute !== undefined) starts.set(taken.start.name, taken.start.time);
    if (taken.videosAtOnce !== undefined) places.set(taken.taskId, taken.until);
    return true;
  };

  readonly giveBack = ({ upstream, taskId }: ReturnedPlace): void => {
    this.entry(upstream).places.delete(taskId);
  };

  readonly ticket = (account: string, model: string, served: number): number => {
    const name = `${model}/${account}`;
    const ticket = Math.max(this.#tickets.get(name) ?? 0, served) + 1;
    this.#tickets.set(name, ticket);
    return ticket;
  };

  readonly addCounts = (name: string, counts: CallCounts): void => {
    const before = this.counts.get(name);
    const sums = CALL_RESULTS.map((result) => [result, (before?.[result] ?? 0) + counts[result]] as const);
    this.counts.set(name, { ...counts, ...Object.fromEntries(sums) });
  };

  readonly setLine = (model: string, change: Partial<LineState>): void => {
    this.#lines.set(model, { until: 0, served: 0, ...this.#lines.get(model), ...change });
  };
}

export const poolStatesPort = (pool: MemoryPool, call: Call = callAtOnce): PoolStates => ({
  read: () => call('pool.read', pool.read),
  coolDown: (upstream, model, coolDown) =>
    call('pool.coolDown', () => void pool.entry(upstream).coolDowns.set(model, coolDown)),
  addFailure: (upstream) =>
    call('pool.addFailure', () => {
      pool.entry(upstream).failures += 1;
      return pool.entry(upstream).failures;
    }),
  clearFailures: (upstream) =>
    call('pool.clearFailures', () => {
      pool.entry(upstream).failures = 0;
      pool.entry(upstream).coolDowns.delete(ALL_MODELS);
    }),
  addCounts: (upstream, day, counts) =>
    call('pool.addCounts', () => pool.addCounts(`${upstream} ${day}`, counts)),
  claimProbe: (upstream, ended, next) =>
    call(
      'pool.claimProbe',
      () => {
        const { coolDowns } = pool.entry(upstream);
        if (coolDowns.get(ALL_MODELS)?.until !== ended?.until) return false;
        coolDowns.set(ALL_MODELS, next);
        return true;
      },
      false,
    ),
});

type Line = Pick<MemoryTasks, 'waiting' | 'callUp'>;

export const linePort = (pool: MemoryPool, tasks: Line, call: Call = callAtOnce): WaitingLine => ({
  ticket: (account, model, served) => call('line.ticket', () => pool.ticket(account, model, served)),
  hold: (model, until) => call('line.hold', () => pool.setLine(model, { until })),
  waiting: async function* (model) {
    yield* await call('line.waiting', () => tasks.waiting(model));
  },
  call: async (task, dueAt) => {
    const called = await call<{ readonly account?: string | undefined }>(
      'line.call',
      () => ({ account: tasks.callUp(task, dueAt) }),
      {},
    );
    return called.account;
  },
  advance: (model, served, until) =>
    call('line.advance', () => pool.setLine(model, { served, until: until ?? 0 })),
});

/** For tests in which there is one upstream without limits. */
export const ONLY_NAME = 'default';
export const ONLY: Upstream = anUpstream(ONLY_NAME, { offers: { lastFrameSeconds: [4, 6, 8] } });
export const onlyPool = (now: () => number, pauses = upstreamPauses(now)) => ({
  pauses,
  upstreams: [ONLY],
  retirements: { note: async () => {} },
  pool: onlyUpstream(ONLY, pauses, now),
  line: linePort(new MemoryPool(), { waiting: () => [], callUp: () => undefined }),
});
