import { inGroups, inParallel } from './in-parallel.ts';
import type { Clock } from './ports.ts';

/** As many as a queue takes in one call. */
const GROUP = 10;
type Overdue<Item, Message> = {
  readonly items: AsyncIterable<Item>;
  /** Puts an item off and gives the message that asks for it again; undefined when it has moved on. */
  readonly postpone: (item: Item) => Promise<Message | undefined>;
  /** Returns the messages that the queue refused. */
  readonly sendAll: (messages: readonly Message[]) => Promise<readonly Message[]>;
  /** What cannot be done for one must not keep the others waiting. */
  readonly onPostponeError: (item: Item, error: unknown) => void;
  readonly onSendError: (message: Message, error: unknown) => void;
  /** After an outage there can be tens of thousands; how many groups are written at once bounds the writes a second. */
  readonly groupsAtOnce: number;
  readonly now: Clock;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

export type Swept = { requeued: number; left: number };

/** Puts back on its queue whatever should have happened by now, and counts in `swept`. */
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
