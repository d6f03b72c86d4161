import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { canServe } from './capabilities.ts';
import { LONG_PAUSES, tellOperator, type UpstreamError } from './faults.ts';
import {
  type CallCounts,
  type Choice,
  choice,
  type LineState,
  type Place,
  type PoolState,
  type PoolStates,
  type UpstreamPool,
  type Wanted,
} from './pool.ts';
import {
  ALL_MODELS,
  canStart,
  comingStarts,
  coolDownAfter,
  coolDownFor,
  FAILURES_TO_OPEN,
  NEW_STATE,
  PROBE_INTERVAL,
  pastPlaces,
  pastStarts,
  retiredKey,
  type UpstreamState,
  withoutPlace,
} from './upstream-state.ts';
import { inOrder, isLimited, type Upstream } from './upstreams.ts';

type Dependencies = {
  readonly upstreams: readonly Upstream[];
  readonly states: PoolStates;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
};

const NO_CALLS: CallCounts = { accepted: 0, rejected: 0, refused: 0, failed: 0 };
const COUNT_INTERVAL = 60_000;

/** How long a worker uses what it has read. */
const KEEP_STATE = 5000;
/** How long tasks wait before they ask again whether an upstream was enabled. */
const DISABLED_PAUSE = 60_000;

/** Several upstreams, or limits: their state is shared by all workers. */
export const failoverPool = ({ upstreams, states, logger, now, random }: Dependencies): UpstreamPool => {
  let known: PoolState | undefined;
  let keptUntil = 0;

  const readState = async (): Promise<PoolState> => {
    if (known !== undefined && now() < keptUntil) return known;
    known = await states.read();
    keptUntil = now() + KEEP_STATE;
    return known;
  };

  /** The next choice reads the state again. */
  const forget = () => {
    keptUntil = 0;
  };

  const probe = async ({ name }: Upstream, { coolDowns }: UpstreamState): Promise<boolean> => {
    const next = { until: now() + PROBE_INTERVAL, reason: 'failing' } as const;
    return states.claimProbe(name, coolDowns.get(ALL_MODELS), next);
  };

  /** A time if the upstream can be used then; `never` if this request must not wait for it. */
  const judge = async (
    upstream: Upstream,
    state: UpstreamState,
    { model, tried, needs, taskId }: Wanted,
  ): Promise<'usable' | 'full' | 'never' | 'retired' | number> => {
    // A request that another upstream has refused does not wait for the operator or for the next day.
    const isPatient = tried.size === 0;
    if (state.isDisabled) return isPatient ? now() + DISABLED_PAUSE : 'never';
    const coolDown = coolDownFor(upstream, state, model, now());
    if (coolDown !== undefined) {
      if (coolDown.reason === 'retired') return 'retired';
      return LONG_PAUSES.has(coolDown.reason) && !isPatient ? 'never' : coolDown.until;
    }
    if (needs.medium === 'video' && !canStart(upstream, withoutPlace(state, taskId), now())) return 'full';
    if (state.failures < FAILURES_TO_OPEN) return 'usable';
    if (await probe(upstream, state)) return 'usable';
    forget();
    return now() + PROBE_INTERVAL;
  };

  const toPlace = (upstream: Upstream, state: UpstreamState): Place | undefined => {
    if (!isLimited(upstream)) return undefined;
    const { name, submitsPerMinute, videosAtOnce } = upstream;
    return {
      upstream: name,
      submitsPerMinute,
      videosAtOnce,
      pastStarts: pastStarts(state, now()),
      pastPlaces: pastPlaces(state, now()),
    };
  };

  const hasTasks = (line: LineState | undefined): boolean => line !== undefined && line.until > now();

  const choose = async (wanted: Wanted): Promise<Choice> => {
    const { model, tried, full, needs, isServed = false, taskId = '' } = wanted;
    const isVideo = needs.medium === 'video';
    const state = await readState();
    const line = state.lines.get(model);
    // Only the limited upstreams have a line.
    const mustWait = isVideo && !isServed && hasTasks(line);
    const pauses: number[] = [];
    let [isFull, isRetired] = [false, false];
    for (const upstream of inOrder(upstreams, random)) {
      if (tried.has(upstream.name) || !canServe(upstream, model, needs)) continue;
      const own = state.upstreams.get(upstream.name) ?? NEW_STATE;
      const hasPlace = (own.places.get(taskId) ?? 0) > now();
      const isTaken = (mustWait && isLimited(upstream) && !hasPlace) || full?.has(upstream.name) === true;
      const verdict = isTaken ? 'full' : await judge(upstream, own, wanted);
      if (verdict === 'usable') return choice(upstream, model, isVideo ? toPlace(upstream, own) : undefined);
      if (verdict === 'full') isFull = true;
      else if (verdict === 'retired') isRetired = true;
      else if (verdict !== 'never') pauses.push(verdict);
    }
    if (isFull) return { kind: 'full', line };
    if (pauses.length > 0) return { kind: 'paused', until: Math.min(...pauses) };
    // A tried upstream has refused the request for another reason, which may pass.
    return { kind: isRetired && tried.size === 0 ? 'retired' : 'none' };
  };

  const counted = new Map<string, CallCounts>();
  let savedAt = now();

  const count = (name: string, result: keyof CallCounts) => {
    const counts = counted.get(name) ?? NO_CALLS;
    counted.set(name, { ...counts, [result]: counts[result] + 1 });
  };

  const saveCounts = async (): Promise<void> => {
    if (counted.size === 0 || now() - savedAt < COUNT_INTERVAL) return;
    const saved = [...counted];
    counted.clear();
    savedAt = now();
    const day = new Date(savedAt).toISOString().slice(0, 10);
    for (const [name, counts] of saved)
      await states.addCounts(name, day, counts).catch((error: unknown) => {
        logger.error('upstream state not saved', error, { upstream: name });
      });
  };

  const freeForLine = async (model: string): Promise<readonly Upstream[]> => {
    forget();
    const state = await readState();
    const time = now();
    if (!hasTasks(state.lines.get(model))) return [];
    return upstreams.filter((upstream) => {
      const [start] = comingStarts(upstream, state.upstreams.get(upstream.name) ?? NEW_STATE, model, time);
      return start === time;
    });
  };

  const noteSuccess = async (name: string): Promise<void> => {
    const failures = known?.upstreams.get(name)?.failures ?? 0;
    if (failures === 0) return;
    await states.clearFailures(name);
    forget();
  };

  const noteFailure = async (name: string, model: string, error: UpstreamError): Promise<void> => {
    forget();
    let caused = coolDownAfter(error, model, now());
    if (caused === undefined) {
      if ((await states.addFailure(name)) < FAILURES_TO_OPEN) return;
      caused = { model: ALL_MODELS, coolDown: { until: now() + PROBE_INTERVAL, reason: 'failing' } };
    }
    const { until, reason } = caused.coolDown;
    const upstream = upstreams.find((one) => one.name === name);
    const isRetirement = upstream !== undefined && reason === 'retired';
    await states.coolDown(name, isRetirement ? retiredKey(upstream, model) : caused.model, caused.coolDown);
    const pause = { upstream: name, model: caused.model };
    logger.info('upstream pauses', { ...pause, reason, seconds: Math.ceil((until - now()) / 1000) });
    tellOperator(logger, error, pause);
  };

  return {
    choose,
    note: async (name, model, error) => {
      count(name, error?.rule.counted ?? 'accepted');
      try {
        if (error === undefined || error.rule.isHealthy === true) await noteSuccess(name);
        else await noteFailure(name, model, error);
      } catch (failure) {
        // The next call finds out the same.
        logger.error('upstream state not saved', failure, { upstream: name });
      }
    },
    saveCounts,
    forget,
    freeForLine,
    hasOthers: upstreams.length > 1,
  };
};
