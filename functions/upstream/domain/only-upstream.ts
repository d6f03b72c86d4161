import type { Clock } from '../../platform/domain/log-events.ts';
import type { UpstreamPool } from './pool.ts';
import type { UpstreamPauses } from './upstream.ts';

/** The only upstream of the service: its pauses are known to this process alone, so that no call is added. */
export const onlyUpstream = (name: string, pauses: UpstreamPauses, now: Clock): UpstreamPool => ({
  choose: async ({ model, tried, kind }) => {
    if (tried.has(name)) return { kind: 'none' };
    const pause = kind === 'image' ? 0 : pauses.remaining(model);
    return pause > 0
      ? { kind: 'paused', until: now() + pause }
      : { kind: 'chosen', upstream: { name }, place: undefined };
  },
  note: async (_, model, error) => pauses.note(model, error),
  saveCounts: async () => {},
  forget: () => {},
  canServeLine: async () => false,
  hasOthers: false,
});
