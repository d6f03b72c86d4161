import { MINUTE, SECOND } from '../../platform/domain/durations.ts';
import type { UpstreamError } from './faults.ts';

import { type Upstream, upstreamModelName } from './upstreams.ts';

/** The state of an upstream that all workers share: pauses, and the room that its limits leave. */

export const COOL_DOWN_REASONS = ['busy', 'quota', 'refused', 'failing', 'retired'] as const;
export type CoolDownReason = (typeof COOL_DOWN_REASONS)[number];
export type CoolDown = { readonly until: number; readonly reason: CoolDownReason };

export const ALL_MODELS = '*';

/** This many failures in a row open the circuit; then one task probes at intervals. */
export const FAILURES_TO_OPEN = 5;
export const PROBE_INTERVAL = 30 * SECOND;

/** The cool-down that a failed call causes; undefined if it causes none, or if failures are counted first. */
export const coolDownAfter = (
  { rule: { pause }, retryAfterSeconds }: UpstreamError,
  model: string,
  now: number,
): { readonly model: string; readonly coolDown: CoolDown } | undefined => {
  if (pause === undefined) return undefined;
  const seconds = 'seconds' in pause ? pause.seconds : (retryAfterSeconds ?? pause.defaultSeconds);
  return {
    model: pause.scope === 'model' ? model : ALL_MODELS,
    coolDown: { until: now + seconds * SECOND, reason: pause.reason },
  };
};

export type UpstreamState = {
  readonly isDisabled: boolean;
  /** By model, or `ALL_MODELS`. */
  readonly coolDowns: ReadonlyMap<string, CoolDown>;
  /** Failures since the last success. */
  readonly failures: number;
  /** The submits of the last minute and more: their times by a unique name. */
  readonly starts: ReadonlyMap<string, number>;
  /** The videos that are being generated: by task, the time until which they count. */
  readonly places: ReadonlyMap<string, number>;
};

export const NEW_STATE: UpstreamState = {
  isDisabled: false,
  coolDowns: new Map(),
  failures: 0,
  starts: new Map(),
  places: new Map(),
};

export const retiredKey = (upstream: Upstream, model: string): string =>
  `retired/${upstreamModelName(upstream, model) ?? model}`;

/** The cool-down that ends last. That of a retired model ends when the settings have another name for it. */
export const coolDownFor = (
  upstream: Upstream,
  { coolDowns }: UpstreamState,
  model: string,
  now: number,
): CoolDown | undefined =>
  [model, retiredKey(upstream, model), ALL_MODELS]
    .flatMap((key) => coolDowns.get(key) ?? [])
    .filter(({ until }) => until > now)
    .toSorted((one, other) => other.until - one.until)[0];

/** Whether the upstream has said that it no longer offers the model. */
export const isRetired = (upstream: Upstream, state: UpstreamState, model: string, now: number): boolean =>
  coolDownFor(upstream, state, model, now)?.reason === 'retired';

/** Limits are counted within this time: submits arrive a little later than they are counted, some later than others. */
export const RATE_WINDOW = MINUTE + SECOND / 2;

const SERVING_INTERVAL = MINUTE;

/** The oldest first, in the same order for every worker. */
const namesUntil = (times: ReadonlyMap<string, number>, end: number): readonly string[] =>
  [...times]
    .filter(([, time]) => time <= end)
    .toSorted(([name, time], [otherName, otherTime]) => time - otherTime || (name < otherName ? -1 : 1))
    .map(([name]) => name);

export const pastStarts = ({ starts }: UpstreamState, now: number): readonly string[] =>
  namesUntil(starts, now - RATE_WINDOW);

export const pastPlaces = ({ places }: UpstreamState, now: number): readonly string[] =>
  namesUntil(places, now);

/** How many videos may be submitted, as far as `videosAtOnce` allows. */
export const freePlaces = (upstream: Upstream, state: UpstreamState, now: number): number =>
  (upstream.videosAtOnce ?? Number.POSITIVE_INFINITY) - (state.places.size - pastPlaces(state, now).length);

/** The state as a task sees it that takes over its own place. */
export const withoutPlace = (state: UpstreamState, taskId: string | undefined): UpstreamState => ({
  ...state,
  places: new Map([...state.places].filter(([name]) => name !== taskId)),
});

const freeStarts = (upstream: Upstream, state: UpstreamState, now: number): number =>
  (upstream.submitsPerMinute ?? Number.POSITIVE_INFINITY) -
  (state.starts.size - pastStarts(state, now).length);

export const canStart = (upstream: Upstream, state: UpstreamState, now: number): boolean =>
  freePlaces(upstream, state, now) > 0 && freeStarts(upstream, state, now) > 0;

/** More than a run of the sweeper can send. */
const MOST_STARTS = 10_000;

/** When the upstream can take videos within the next minute: a time for each, in order. */
export const comingStarts = (
  upstream: Upstream,
  state: UpstreamState,
  model: string,
  now: number,
): readonly number[] => {
  if (upstreamModelName(upstream, model) === undefined || state.isDisabled) return [];
  // Until the pause has ended, its tasks stay in line for places at other upstreams.
  if (coolDownFor(upstream, state, model, now) !== undefined) return [];
  const end = now + SERVING_INTERVAL;
  const renewed = [...state.starts.values()]
    .map((time) => time + RATE_WINDOW)
    .filter((time) => time > now && time < end);
  const places = Math.max(0, freePlaces(upstream, state, now));
  const free = Math.max(0, Math.min(freeStarts(upstream, state, now), places, MOST_STARTS));
  const starts = [...Array<number>(free).fill(now), ...renewed.toSorted((one, other) => one - other)];
  // While the circuit is open, one video at a time probes the upstream.
  const most = state.failures >= FAILURES_TO_OPEN ? 1 : starts.length;
  return starts.slice(0, Math.min(most, places));
};
