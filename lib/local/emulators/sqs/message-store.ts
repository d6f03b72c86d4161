import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Database, inTransaction } from '../sqlite.ts';
import { nameInArn, type Queue, type QueueStore, readRedrivePolicy, setting } from './queues.ts';

const NOISY_SHARE = 0.1;
const NOISY_IN_FLIGHT = 30;
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
        const holdsMany = own >= NOISY_IN_FLIGHT && own > NOISY_SHARE * inFlight.size;
        return holdsMany || milliseconds > NOISY_SHARE * wholeTime ? [[group, own] as const] : [];
      });
    },
  };
};

type NoisyGroups = ReturnType<typeof noisyGroups>;

const Row = z.object({
  id: z.string(),
  body: z.string(),
  sent: z.number(),
  received: z.number(),
  first_received: z.number().nullable(),
  trace: z.string().nullable(),
  group_id: z.string().nullable(),
});

type NewMessage = {
  readonly body: string;
  /** The X-Ray header of the sending request. */
  readonly trace: string | null;
  readonly group: string | null;
};

export type Delivery = NewMessage & {
  readonly id: string;
  readonly receipt: string;
  readonly sent: number;
  readonly received: number;
  readonly firstReceived: number;
};

const Count = z.object({ count: z.number() });
const Next = z.object({ next: z.number().nullable() });

const newReceipt = (id: string): string => Buffer.from(`${id}:${randomUUID()}`).toString('base64url');
const idInReceipt = (receipt: string): string =>
  Buffer.from(receipt, 'base64url').toString().split(':')[0] ?? '';

export const messageStore = (database: Database, queues: QueueStore, arrived: (queue: string) => void) => {
  const insert = database.prepare(
    'INSERT INTO messages (id, queue, body, trace, group_id, sent, visible) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  // Quiet groups first, then the noisy ones, ordered by their messages in flight.
  const ready = database.prepare(`
    SELECT messages.* FROM messages
    LEFT JOIN json_each(?) AS noisy ON json_extract(noisy.value, '$[0]') = group_id
    WHERE queue = ? AND visible <= ?
    ORDER BY coalesce(json_extract(noisy.value, '$[1]'), -1), sequence LIMIT ?`);
  const markReceived = database.prepare(
    'UPDATE messages SET received = ?, first_received = ?, receipt = ?, visible = ? WHERE id = ?',
  );
  const move = database.prepare('UPDATE messages SET queue = ?, receipt = NULL, visible = ? WHERE id = ?');
  const expire = database.prepare('DELETE FROM messages WHERE queue = ? AND sent <= ?');
  const remove = database.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
  const next = database.prepare('SELECT MIN(visible) AS next FROM messages WHERE queue = ?');
  const counts = {
    visible: database.prepare('SELECT COUNT(*) AS count FROM messages WHERE queue = ? AND visible <= ?'),
    inFlight: database.prepare(
      'SELECT COUNT(*) AS count FROM messages WHERE queue = ? AND visible > ? AND receipt IS NOT NULL',
    ),
    delayed: database.prepare(
      'SELECT COUNT(*) AS count FROM messages WHERE queue = ? AND visible > ? AND receipt IS NULL',
    ),
  } as const;

  const groups = new Map<string, NoisyGroups>();
  const findGroups = ({ name }: Queue): NoisyGroups => {
    const known = groups.get(name) ?? noisyGroups();
    groups.set(name, known);
    return known;
  };

  const deliver = (queue: Queue, row: z.infer<typeof Row>, now: number, timeout: number): Delivery => {
    const receipt = newReceipt(row.id);
    const firstReceived = row.first_received ?? now;
    const received = row.received + 1;
    const until = now + timeout * 1000;
    markReceived.run(received, firstReceived, receipt, until, row.id);
    const { id, body, sent, trace, group_id: group } = row;
    findGroups(queue).began(id, { group, since: now, until });
    return { id, receipt, body, sent, received, firstReceived, trace, group };
  };

  /** When the next message becomes visible. */
  const nextAt = (queue: Queue): number => Next.parse(next.get(queue.name)).next ?? Number.POSITIVE_INFINITY;

  const take = (queue: Queue, limit: number, timeout: number, now: number): Delivery[] => {
    expire.run(queue.name, now - setting(queue, 'MessageRetentionPeriod') * 1000);
    const redrive = readRedrivePolicy(queue);
    const deadLetters = redrive && queues.find(nameInArn(redrive.deadLetterTargetArn));
    const noisy = JSON.stringify(findGroups(queue).find(now));
    const deliveries: Delivery[] = [];
    for (;;) {
      const wanted = limit - deliveries.length;
      const rows = ready.all(noisy, queue.name, now, wanted).map((row) => Row.parse(row));
      for (const row of rows) {
        if (redrive && deadLetters && row.received >= redrive.maxReceiveCount) {
          move.run(deadLetters.name, now, row.id);
          arrived(deadLetters.name);
        } else {
          deliveries.push(deliver(queue, row, now, timeout));
        }
      }
      // With a timeout of 0 the messages stay visible, so another pass would return them again.
      if (timeout === 0 || rows.length < wanted || deliveries.length === limit) return deliveries;
    }
  };

  return {
    send(queue: Queue, { body, trace, group }: NewMessage, delay: number): string {
      const id = randomUUID();
      const now = Date.now();
      insert.run(id, queue.name, body, trace, group, now, now + delay * 1000);
      arrived(queue.name);
      return id;
    },
    take: (queue: Queue, limit: number, timeout: number): Delivery[] => {
      const now = Date.now();
      // Most polls find nothing, so they write nothing.
      return nextAt(queue) > now ? [] : inTransaction(database, () => take(queue, limit, timeout, now));
    },
    remove: (queue: Queue, receipt: string): void => {
      if (remove.run(queue.name, receipt).changes > 0)
        findGroups(queue).ended(idInReceipt(receipt), Date.now());
    },
    nextAt,
    count: (queue: Queue, kind: keyof typeof counts): number =>
      Count.parse(counts[kind].get(queue.name, Date.now())).count,
  };
};

export type MessageStore = ReturnType<typeof messageStore>;
