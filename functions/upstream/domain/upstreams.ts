import type { UpstreamError } from './upstream.ts';

/** How an upstream is reached; its credential is in the secret. */
type Gemini = { readonly kind: 'gemini'; readonly baseUrl: string; readonly keyHeader: string };
type Vertex = {
  readonly kind: 'vertex';
  readonly project: string;
  readonly location: string;
  /** Where the upstream writes videos, `gs://bucket/prefix/`; by default they are part of its response. */
  readonly storageUri?: string | undefined;
  /** Default: Google's address for the location. */
  readonly baseUrl?: string | undefined;
  readonly storageBaseUrl?: string | undefined;
};

/** Ours to theirs; a model without an entry has the same name, and one with null is not offered there. */
type ModelNames = Readonly<Record<string, string | null>>;

export type Upstream = (Gemini | Vertex) & {
  readonly name: string;
  readonly models: ModelNames;
  /** The lowest number is tried first. */
  readonly priority: number;
  /** Its share among upstreams of the same priority. */
  readonly weight: number;
  readonly submitsPerMinute?: number | undefined;
  readonly videosAtOnce?: number | undefined;
};

/** Stored with a task, so that its operation is found even after the upstream has left the settings. */
export type UpstreamReference = {
  readonly name: string;
  /** The upstream as JSON; absent if the service has only one. */
  readonly definition?: string | undefined;
};

export const serves = ({ models }: Upstream, model: string): boolean => models[model] !== null;

export const isLimited = ({ submitsPerMinute, videosAtOnce }: Upstream): boolean =>
  submitsPerMinute !== undefined || videosAtOnce !== undefined;

/** By priority; in random order among equals, the heavier ones more often first. */
export const inOrder = (upstreams: readonly Upstream[], random: () => number): readonly Upstream[] =>
  upstreams
    .map((upstream) => ({ upstream, draw: -Math.log(1 - random()) / upstream.weight }))
    .toSorted((one, other) => one.upstream.priority - other.upstream.priority || one.draw - other.draw)
    .map(({ upstream }) => upstream);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const COOL_DOWN_REASONS = ['busy', 'quota', 'refused', 'failing'] as const;
export type CoolDownReason = (typeof COOL_DOWN_REASONS)[number];
export type CoolDown = { readonly until: number; readonly reason: CoolDownReason };

/** Every model of the upstream. */
export const ALL_MODELS = '*';

/** This many failures in a row open the circuit; then one task probes at intervals. */
export const FAILURES_TO_OPEN = 5;
export const PROBE_INTERVAL = 30 * SECOND;
const REFUSED_PAUSE = 5 * MINUTE;
const BUSY_PAUSE_SECONDS = 60;
/** Used if the upstream does not say when its quota renews. */
const QUOTA_PAUSE_SECONDS = 60 * 60;

/** The cool-down that a failed call causes; undefined if it causes none, or if failures are counted first. */
export const coolDownAfter = (
  { fault, httpStatus, retryAfterSeconds }: UpstreamError,
  model: string,
  now: number,
): { readonly model: string; readonly coolDown: CoolDown } | undefined => {
  switch (fault) {
    case 'busy': {
      const until = now + (retryAfterSeconds ?? BUSY_PAUSE_SECONDS) * SECOND;
      return { model, coolDown: { until, reason: 'busy' } };
    }
    case 'exhausted': {
      const until = now + (retryAfterSeconds ?? QUOTA_PAUSE_SECONDS) * SECOND;
      return { model, coolDown: { until, reason: 'quota' } };
    }
    case 'operator':
      return {
        // An unknown model says nothing about the others.
        model: httpStatus === 404 ? model : ALL_MODELS,
        coolDown: { until: now + REFUSED_PAUSE, reason: 'refused' },
      };
    default:
      return undefined;
  }
};

/** The shared knowledge about one upstream. */
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

/** The cool-down that ends last, of the model or of the whole upstream. */
export const coolDownFor = (
  { coolDowns }: UpstreamState,
  model: string,
  now: number,
): CoolDown | undefined => {
  const [one, other] = [coolDowns.get(model), coolDowns.get(ALL_MODELS)].filter(
    (coolDown) => coolDown !== undefined && coolDown.until > now,
  );
  if (one === undefined || other === undefined) return one ?? other;
  return one.until >= other.until ? one : other;
};

/** Limits are counted within this time: submits arrive a little later than they are counted, some later than others. */
export const RATE_WINDOW = MINUTE + SECOND / 2;

/** How often the line is served. */
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

const freeStarts = (upstream: Upstream, state: UpstreamState, now: number): number =>
  (upstream.submitsPerMinute ?? Number.POSITIVE_INFINITY) -
  (state.starts.size - pastStarts(state, now).length);

export const hasRoom = (upstream: Upstream, state: UpstreamState, now: number): boolean =>
  freePlaces(upstream, state, now) > 0 && freeStarts(upstream, state, now) > 0;

/** More than a run of the sweeper can send. */
const MOST_STARTS = 2000;

/** When the upstream can take videos within the next minute: a time for each, in order. */
export const comingStarts = (
  upstream: Upstream,
  state: UpstreamState,
  model: string,
  now: number,
): readonly number[] => {
  if (!serves(upstream, model) || state.isDisabled) return [];
  // Until the pause has ended, its tasks stay in line for places at other upstreams.
  if (coolDownFor(state, model, now) !== undefined) return [];
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
