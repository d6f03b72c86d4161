import * as z from 'zod';
import { AwsError } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import { type Database, jsonColumn } from '../sqlite.ts';

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS queues (
  name TEXT PRIMARY KEY, attributes TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS messages (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
  body TEXT NOT NULL,
  sent INTEGER NOT NULL, visible INTEGER NOT NULL,
  received INTEGER NOT NULL DEFAULT 0, first_received INTEGER, receipt TEXT, trace TEXT, group_id TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS visible_messages ON messages (queue, visible);
`;

/** Named as in SQS. */
export type QueueAttributes = Readonly<Record<string, string>>;

const DEFAULTS: QueueAttributes = {
  VisibilityTimeout: '30',
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
};

const Queue = z.object({
  name: z.string(),
  attributes: jsonColumn(z.record(z.string(), z.string())),
  created: z.number(),
  modified: z.number(),
});
export type Queue = Readonly<z.infer<typeof Queue>>;

// SQS accepts the count as a number or a string.
const RedrivePolicy = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.int().min(1).max(1000)),
});
type RedrivePolicy = z.infer<typeof RedrivePolicy>;

export const setting = ({ attributes }: Queue, name: string): number =>
  Number(attributes[name] ?? DEFAULTS[name]);

/** An empty policy removes the old one. */
export const isRedrivePolicy = (text: string): boolean => {
  try {
    return text === '' || RedrivePolicy.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

export const readRedrivePolicy = ({ attributes }: Queue): RedrivePolicy | undefined =>
  attributes.RedrivePolicy ? RedrivePolicy.parse(JSON.parse(attributes.RedrivePolicy)) : undefined;

export const nameInUrl = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export const nameInArn = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1);

export const queueArn = ({ region, accountId }: Home, name: string): string =>
  `arn:aws:sqs:${region}:${accountId}:${name}`;

export const queueStore = (database: Database) => {
  const select = database.prepare('SELECT * FROM queues WHERE name = ?');
  const remove = database.prepare('DELETE FROM queues WHERE name = ?');
  const upsert = database.prepare(
    `INSERT INTO queues (name, attributes, created, modified) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET attributes = excluded.attributes, modified = excluded.modified`,
  );
  const seconds = () => Math.floor(Date.now() / 1000);

  // Every call on a queue reads its attributes, which only this process changes.
  const known = new Map<string, Queue>();
  const find = (name: string): Queue | undefined => {
    const row = known.has(name) ? undefined : select.get(name);
    if (row !== undefined) known.set(name, Queue.parse(row));
    return known.get(name);
  };

  const put = (name: string, attributes: QueueAttributes): void => {
    upsert.run(name, JSON.stringify({ ...DEFAULTS, ...attributes }), seconds(), seconds());
    known.delete(name);
  };

  /** As on SQS, a dead-letter queue must exist before another queue names it. */
  const checkDeadLetters = ({ RedrivePolicy: policy }: QueueAttributes): void => {
    if (!policy) return;
    const { deadLetterTargetArn } = RedrivePolicy.parse(JSON.parse(policy));
    if (find(nameInArn(deadLetterTargetArn)) !== undefined) return;
    const reason = `Value ${policy} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.`;
    throw new AwsError(400, 'com.amazonaws.sqs#InvalidParameterValue', reason);
  };

  return {
    find,
    /** Uses only the last part of the URL, so that URLs stay valid after a restart on another port. */
    at(url: string): Queue {
      const queue = find(nameInUrl(url));
      if (queue !== undefined) return queue;
      const code = 'com.amazonaws.sqs#QueueDoesNotExist';
      throw new AwsError(400, code, 'The specified queue does not exist.', {
        headers: { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
      });
    },
    /** Queues of a template may name each other in any order. */
    putAll(queues: Readonly<Record<string, QueueAttributes>>): void {
      for (const [name, attributes] of Object.entries(queues)) put(name, attributes);
      for (const attributes of Object.values(queues)) checkDeadLetters(attributes);
    },
    remove(name: string): void {
      remove.run(name);
      known.delete(name);
    },
    create(name: string, attributes: QueueAttributes): void {
      checkDeadLetters(attributes);
      const existing = find(name);
      if (existing === undefined) put(name, attributes);
      else if (Object.entries(attributes).some(([key, value]) => existing.attributes[key] !== value)) {
        const message = 'A queue already exists with the same name and a different value for an attribute.';
        throw new AwsError(400, 'com.amazonaws.sqs#QueueNameExists', message);
      }
    },
  };
};

export type QueueStore = ReturnType<typeof queueStore>;
