const SHARE = 0.1;
const MIN_IN_FLIGHT = 30;
/** SQS documents that recent processing counts; here its weight halves in this time. */
const HALF_LIFE_MILLISECONDS = 60_000;

type Processing = { readonly group: string | null; readonly since: number; readonly until: number };
type Spent = { readonly milliseconds: number; readonly at: number };
type NoisyGroup = readonly [group: string, inFlight: number];

const faded = ({ milliseconds, at }: Spent, now: number): number =>
  milliseconds * 2 ** ((at - now) / HALF_LIFE_MILLISECONDS);

/**
 * Finds the message groups of a queue that slow down the others, by the two criteria that SQS documents for fair queues.
 * Kept in memory, since only the last minutes matter.
 */
export const noisyGroups = () => {
  const inFlight = new Map<string, Processing>();
  /** Messages without a group are never noisy, so only their sum is kept, under null. */
  const spent = new Map<string | null, Spent>();

  const add = (group: string | null, milliseconds: number, now: number): void => {
    const before = spent.get(group);
    spent.set(group, { milliseconds: milliseconds + (before ? faded(before, now) : 0), at: now });
  };

  const ended = (id: string, now: number): void => {
    const processing = inFlight.get(id);
    if (processing === undefined) return;
    inFlight.delete(id);
    add(processing.group, Math.min(now, processing.until) - processing.since, now);
  };

  return {
    ended,
    began(id: string, processing: Processing): void {
      ended(id, processing.since);
      inFlight.set(id, processing);
    },
    /** The noisy groups with their number of messages in flight. */
    find(now: number): NoisyGroup[] {
      for (const [id, { until }] of inFlight) if (until <= now) ended(id, now);
      const time = new Map<string | null, number>();
      const messages = new Map<string | null, number>();
      const count = (to: Map<string | null, number>, group: string | null, more: number) =>
        to.set(group, (to.get(group) ?? 0) + more);
      for (const [group, past] of spent) {
        const left = faded(past, now);
        if (left < 1) spent.delete(group);
        else count(time, group, left);
      }
      for (const { group, since } of inFlight.values()) {
        count(time, group, now - since);
        count(messages, group, 1);
      }
      const wholeTime = [...time.values()].reduce((sum, each) => sum + each, 0);
      return [...time].flatMap(([group, milliseconds]) => {
        if (group === null) return [];
        const own = messages.get(group) ?? 0;
        const holdsMany = own >= MIN_IN_FLIGHT && own > SHARE * inFlight.size;
        return holdsMany || milliseconds > SHARE * wholeTime ? [[group, own] as const] : [];
      });
    },
  };
};

export type NoisyGroups = ReturnType<typeof noisyGroups>;
