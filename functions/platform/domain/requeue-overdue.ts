import type { Clock } from './log-events.ts';

/** SQS accepts this many messages per call. */
const GROUP = 10;
type Overdue<Item, Message> = {
  readonly items: AsyncIterable<Item>;
  /** Postpones an item and returns its message; undefined if the item has moved on. */
  readonly postpone: (item: Item) => Promise<Message | undefined>;
  /** Returns the messages that the queue refused. */
  readonly sendAll: (messages: readonly Message[]) => Promise<readonly Message[]>;
  /** A failure of one item must not affect the others. */
  readonly onPostponeError: (item: Item, error: unknown) => void;
  readonly onSendError: (message: Message, error: unknown) => void;
  /** Limits the write rate: after an outage there can be tens of thousands of items. */
  readonly groupsAtOnce: number;
  readonly now: Clock;
  /** The next run continues after this time. */
  readonly stopAt: number;
};

type Swept = { requeued: number; left: number };

/** Puts overdue items back on their queue, and counts them in `swept`. */
export const requeueOverdue = async <Item, Message>(
  overdue: Overdue<Item, Message>,
  swept: Swept,
): Promise<void> => {
  await inParallel(inGroups(overdue.items, GROUP), overdue.groupsAtOnce, async (group) => {
    if (overdue.now() >= overdue.stopAt) swept.left += group.length;
    else swept.requeued += await requeue(overdue, group);
  });
};

const requeue = async <Item, Message>(
  { postpone, sendAll, onPostponeError, onSendError }: Overdue<Item, Message>,
  group: readonly Item[],
): Promise<number> => {
  const postponed = await Promise.all(
    group.map((item) =>
      postpone(item).catch((error: unknown) => {
        onPostponeError(item, error);
        return undefined;
      }),
    ),
  );
  const messages = postponed.filter((message) => message !== undefined);
  if (messages.length === 0) return 0;
  try {
    const refused = await sendAll(messages);
    for (const message of refused) onSendError(message, new Error('refused by the queue'));
    return messages.length - refused.length;
  } catch (error) {
    for (const message of messages) onSendError(message, error);
    return 0;
  }
};

/** Groups items into arrays. If the source fails, the items before the failure are yielded first. */
export async function* inGroups<T>(
  items: AsyncIterable<T> | Iterable<T>,
  size: number,
): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  try {
    for await (const item of items) {
      group.push(item);
      if (group.length < size) continue;
      const full = group;
      group = [];
      yield full;
    }
  } catch (error) {
    if (group.length > 0) yield group;
    throw error;
  }
  if (group.length > 0) yield group;
}

/** Processes up to `width` items at once, and reads the next one when one is done. */
export const inParallel = async <T>(
  items: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const one: Promise<void> = work(item).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= width) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
};
