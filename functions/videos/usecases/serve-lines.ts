import { VIDEO_MODELS, type VideoModel } from '../../catalogue/domain/models.ts';
import { MINUTE } from '../../platform/domain/durations.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import { canServe } from '../../upstream/domain/capabilities.ts';
import type { Needs } from '../../upstream/domain/needs.ts';
import type { PoolState } from '../../upstream/domain/pool.ts';
import { comingStarts, isRetired, NEW_STATE } from '../../upstream/domain/upstream-state.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import {
  NO_WORK,
  type QueueAges,
  type QueueDepth,
  type StepMessage,
  type StepQueue,
  toMinute,
} from '../domain/step-queue.ts';
import type { WaitingLine, WaitingTask } from '../domain/task.ts';
import {
  crowdedSlots,
  estimateTaskMs,
  plannedStarts,
  tasksPerMinute,
  type WorkerLoad,
  type WorkerLoads,
} from '../domain/worker-capacity.ts';
import { callTask, LINE_HOLD } from './wait-in-line.ts';

type Dependencies = {
  readonly line: WaitingLine;
  readonly upstreams: readonly Upstream[];
  readonly readState: () => Promise<PoolState>;
  readonly loads: WorkerLoads;
  readonly ages: Pick<QueueAges, 'read'>;
  readonly depth: QueueDepth;
  readonly workers: number;
  /** A create is refused if its video would wait longer. */
  readonly maxWaitMs: number;
  readonly queue: Pick<StepQueue, 'send'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run stops; the next run calls the rest. */
  readonly stopAt: number;
};

/** From the start that a task was called for until it has claimed it: messages are delayed by whole seconds. */
const CALLED_MARGIN = 5_000;

const SENDS_AT_ONCE = 10;

type Line = {
  readonly model: VideoModel;
  readonly isKnown: boolean;
  served: number;
  called: number;
  lastStart: number;
  isLeft: boolean;
};

/** Calls the tasks that can start within the next minute: an upstream takes them, and the workers can finish them. */
export const serveLines = async (dependencies: Dependencies): Promise<void> => {
  const { line, loads, queue, logger, now } = dependencies;
  const [state, load] = await Promise.all([dependencies.readState(), loads.read()]);
  const lines = VIDEO_MODELS.map((model): Line => {
    const known = state.lines.get(model);
    const served = Math.max(known?.served ?? 0, load.served.get(model) ?? 0);
    return { model, isKnown: known !== undefined, served, called: 0, lastStart: 0, isLeft: false };
  });
  const starts = sharedStarts(dependencies.upstreams, state, now());
  const workers = workerStarts(dependencies, load);
  const called = callTasks(dependencies, lines, starts, workers);
  await inParallel(called, SENDS_AT_ONCE, async ({ message, time }) => {
    await queue.send(message, Math.max(0, time - now())).catch((error: unknown) => {
      // It is due in a minute, and the sweeper sends its message.
      logger.error('line not served', error, { taskId: message.taskId });
    });
  });
  for (const { model, isKnown, served, called: count, lastStart, isLeft } of lines) {
    if (!isKnown && count === 0 && !isLeft) continue;
    // New tasks take no start for which a task was called.
    const calledUntil = count === 0 ? undefined : lastStart + CALLED_MARGIN;
    await line.advance(model, served, isLeft ? now() + LINE_HOLD : calledUntil);
    logger.info('line served', { model, served: count, left: isLeft });
  }
  await workers.save(lines);
};

type Called = { readonly message: StepMessage; readonly time: number };

/** Takes tasks out of the lines, one after the other, so that a start that is not needed goes to the next task. */
async function* callTasks(
  dependencies: Dependencies,
  lines: readonly Line[],
  starts: ReturnType<typeof sharedStarts>,
  workers: ReturnType<typeof workerStarts>,
): AsyncGenerator<Called> {
  const { line, logger, now, stopAt } = dependencies;
  const call = async (task: WaitingTask, time: number) => {
    try {
      return await callTask({ line }, task, time);
    } catch (error) {
      // It is still in line.
      logger.error('line not served', error, { taskId: task.id });
      return 'failed';
    }
  };
  for await (const [turn, task] of inTurn(lines, line)) {
    const start = starts.next(turn.model, task.needs);
    const mustEnd = task.deadline <= now() || starts.never(turn.model, task.needs);
    const ownStart = start === undefined ? undefined : await workers.next();
    if (now() >= stopAt || (!mustEnd && (start === undefined || ownStart === undefined))) {
      turn.isLeft = true;
      workers.leave(task, start !== undefined);
      continue;
    }
    const isStarted = start !== undefined && ownStart !== undefined;
    // Without a start, the worker fails the task.
    const time = isStarted ? Math.max(start.time, ownStart) : now();
    const message = await call(task, time);
    if (message === undefined) continue;
    if (isStarted) {
      start.take();
      workers.take();
      turn.called += 1;
      turn.served = Math.max(turn.served, task.ticket);
      turn.lastStart = time;
    }
    if (message !== 'failed') yield { message, time };
  }
}

type Start = { readonly time: number; readonly take: () => void };

/** The times at which upstreams can take videos. Lines share them, because limits are for all models together. */
const sharedStarts = (upstreams: readonly Upstream[], state: PoolState, now: number) => {
  const sources = upstreams.map((upstream) => {
    const own = state.upstreams.get(upstream.name) ?? NEW_STATE;
    const times = VIDEO_MODELS.map((model) => [model, comingStarts(upstream, own, model, now)] as const);
    return { upstream, own, times: new Map(times), taken: 0 };
  });
  return {
    /** No upstream will ever take the task: they have retired the model, or the settings have changed. */
    never: (model: VideoModel, needs: Needs): boolean =>
      sources.every(
        ({ upstream, own }) => !canServe(upstream, model, needs) || isRetired(upstream, own, model, now),
      ),
    next: (model: VideoModel, needs: Needs): Start | undefined => {
      const coming = sources.flatMap((source) => {
        if (!canServe(source.upstream, model, needs)) return [];
        const time = source.times.get(model)?.[source.taken];
        const take = () => {
          source.taken += 1;
        };
        return time === undefined ? [] : [{ time, take }];
      });
      return coming.toSorted((one, other) => one.time - other.time)[0];
    },
  };
};

/** The times at which the workers have time for a new task: one for each at once, the others spread over the next minute. */
const workerStarts = ({ loads, ages, depth, workers, maxWaitMs, now }: Dependencies, load: WorkerLoad) => {
  const begin = now();
  /** The accounts of the tasks that stay in line, in the order in which they will start. */
  const rest: string[] = [];
  let plan: Awaited<ReturnType<typeof readPlan>> | undefined;
  let [taken, isBusy] = [0, false];

  /** Only if a task waits: an idle service reads nothing more. */
  const readPlan = async () => {
    const [last, waitingMessages] = await Promise.all([ages.read(toMinute(begin) - 1), depth.waiting()]);
    const done = last?.work ?? NO_WORK;
    const taskMs = estimateTaskMs(load.taskMs, done);
    const most = plannedStarts({ workers, taskMs, done, waitingMessages });
    return { taskMs, most, waitingMessages };
  };

  /** Upstreams have limits of their own, and then their starts are the rate. */
  const measureRate = (): number => {
    if (isBusy) return tasksPerMinute(workers, plan?.taskMs ?? load.taskMs);
    if (taken === 0 || load.rate === 0) return Math.max(taken, load.rate);
    return (taken + load.rate) / 2;
  };

  return {
    next: async (): Promise<number | undefined> => {
      plan ??= await readPlan();
      const later = Math.max(0, taken + 1 - workers);
      return taken < plan.most ? begin + (later * MINUTE) / plan.most : undefined;
    },
    take: () => {
      taken += 1;
    },
    /** Counts a task that stays in line, even if an upstream would take it. */
    leave: ({ account }: WaitingTask, isForWorkers: boolean) => {
      rest.push(account);
      if (isForWorkers) isBusy = true;
    },
    save: async (lines: readonly Line[]): Promise<void> => {
      const waiting = rest.length;
      if (plan === undefined && waiting + load.waiting + load.heldUntil === 0) return;
      const rate = measureRate();
      const { waitingMessages = 0 } = plan ?? {};
      await loads.save({
        heldUntil: isBusy ? now() + LINE_HOLD : 0,
        taskMs: plan?.taskMs ?? load.taskMs,
        rate,
        waiting,
        served: new Map(lines.map(({ model, served }) => [model, served])),
        minute: toMinute(now()),
        crowded: crowdedSlots(rest, {
          rate,
          maxWaitMs,
          waitingMessages,
          waitingBefore: load.waiting,
          now: now(),
        }),
      });
    },
  };
};

/** A task of each line in turn, so that a long line does not hold up the others. */
async function* inTurn(
  lines: readonly Line[],
  { waiting }: Pick<WaitingLine, 'waiting'>,
): AsyncGenerator<readonly [Line, WaitingTask]> {
  let turns = lines.map((line) => ({ line, tasks: waiting(line.model)[Symbol.asyncIterator]() }));
  while (turns.length > 0) {
    const left: typeof turns = [];
    for (const turn of turns) {
      const next = await turn.tasks.next();
      if (next.done === true) continue;
      left.push(turn);
      yield [turn.line, next.value];
    }
    turns = left;
  }
}
