import type { Clock } from '../../platform/domain/log-events.ts';
import { canServe } from './capabilities.ts';
import type { UpstreamError } from './faults.ts';
import type { Needs } from './needs.ts';
import type { UpstreamPauses } from './process-pauses.ts';
import type { CoolDown, UpstreamState } from './upstream-state.ts';
import { isIdempotent, substituteModel, type Upstream, type UpstreamReference } from './upstreams.ts';

/** A place among the videos of a limited upstream, taken by the same write that claims the submit. */
export type Place = {
  readonly upstream: string;
  readonly submitsPerMinute: number | undefined;
  readonly videosAtOnce: number | undefined;
  /** Entries that no longer count; the write removes them and fails if another worker has done so. */
  readonly pastStarts: readonly string[];
  readonly pastPlaces: readonly string[];
};

/** Ends the place of a task at an upstream. */
export type ReturnedPlace = { readonly upstream: string; readonly taskId: string };
export type TakenPlace = Place & {
  readonly taskId: string;
  /** A unique name for the submit, which counts from this time. */
  readonly start: { readonly name: string; readonly time: number };
  /** The video counts until then, even if its end is never written. */
  readonly until: number;
};

/** Tasks wait in line for a model when all its upstreams are at their limits. */
export type LineState = {
  /** Until then, new tasks join the line instead of overtaking it. */
  readonly until: number;
  /** The ticket that was served last. */
  readonly served: number;
};

export type PoolState = {
  readonly upstreams: ReadonlyMap<string, UpstreamState>;
  /** By model. */
  readonly lines: ReadonlyMap<string, LineState>;
};

/** The knowledge that all workers share. */
export type PoolStates = {
  /** One call for all upstreams and lines. */
  read(): Promise<PoolState>;
  coolDown(upstream: string, model: string, coolDown: CoolDown): Promise<void>;
  /** Counts a failure and returns the number of failures since the last success. */
  addFailure(upstream: string): Promise<number>;
  /** Forgets failures and the pause that they caused. */
  clearFailures(upstream: string): Promise<void>;
  /** Starts a new pause; false if another worker was first. */
  claimProbe(upstream: string, ended: CoolDown | undefined, next: CoolDown): Promise<boolean>;
  addCounts(upstream: string, day: string, counts: CallCounts): Promise<void>;
};

/** The calls of a day that started something, by their result. */
export const CALL_RESULTS = ['accepted', 'rejected', 'refused', 'failed'] as const;
export type CallCounts = Readonly<Record<(typeof CALL_RESULTS)[number], number>>;

export type Choice =
  | {
      readonly kind: 'chosen';
      readonly upstream: UpstreamReference;
      readonly place: Place | undefined;
      /** Whether a submit can be repeated at this upstream. */
      readonly isIdempotent: boolean;
    }
  /** Every upstream pauses until then or longer. */
  | { readonly kind: 'paused'; readonly until: number }
  /** The upstreams are at their limits: the task waits in line. */
  | { readonly kind: 'full'; readonly line: LineState | undefined }
  /** Every upstream that could serve the request has retired the model. */
  | { readonly kind: 'retired' }
  /** Every upstream that could serve the request was tried; without any tried, none can serve it. */
  | { readonly kind: 'none' };

export type Wanted = {
  readonly model: string;
  readonly needs: Needs;
  /** Upstreams that have refused this request. */
  readonly tried: ReadonlySet<string>;
  /** Upstreams whose last place other tasks have taken. */
  readonly full?: ReadonlySet<string>;
  /** Whether the task has waited in line and may start now. */
  readonly isServed?: boolean;
  /** The task that asks: it takes over its own place, if it has one for a submit whose response was lost. */
  readonly taskId?: string;
};

export type UpstreamPool = {
  choose(wanted: Wanted): Promise<Choice>;
  /** Notes the result of a call that started something; without an error it was successful. */
  note(upstream: string, model: string, error?: UpstreamError): Promise<void>;
  /** Saves the counts of this process, at most once a minute: not exact, since a process can end before. */
  saveCounts(): Promise<void>;
  /** Another worker has changed the state that `choose` used. */
  forget(): void;
  /** The upstreams that could take a task of the model's line now; none if no task waits. */
  freeForLine(model: string): Promise<readonly Upstream[]>;
  /** Whether a refused request may be sent to another upstream. */
  readonly hasOthers: boolean;
};

/** Kept small, because each task and each check carries it: only an idempotent submit is repeated without the settings. */
const operationDefinition = (upstream: Upstream): string =>
  JSON.stringify({
    ...upstream,
    models: isIdempotent(upstream) ? upstream.models : {},
    offers: undefined,
    submitsPerMinute: undefined,
    videosAtOnce: undefined,
  });

/** The choice of an upstream; its definition finds it again after it has left the settings. */
export const choice = (upstream: Upstream, model: string, place: Place | undefined): Choice => {
  const substitute = substituteModel(upstream, model);
  return {
    kind: 'chosen',
    upstream: {
      name: upstream.name,
      definition: operationDefinition(upstream),
      ...(substitute === undefined ? {} : { substitute }),
    },
    place,
    isIdempotent: isIdempotent(upstream),
  };
};

/** The only upstream of the service: its pauses are known to this process alone, so that no call is added. */
export const onlyUpstream = (upstream: Upstream, pauses: UpstreamPauses, now: Clock): UpstreamPool => ({
  choose: async ({ model, needs, tried }) => {
    if (tried.has(upstream.name) || !canServe(upstream, model, needs)) return { kind: 'none' };
    // Images do not count towards the limits of videos.
    const pause = needs.medium === 'image' ? 0 : pauses.remaining(model);
    return pause > 0 ? { kind: 'paused', until: now() + pause } : choice(upstream, model, undefined);
  },
  note: async (_, model, error) => pauses.note(model, error),
  saveCounts: async () => {},
  forget: () => {},
  freeForLine: async () => [],
  hasOthers: false,
});
