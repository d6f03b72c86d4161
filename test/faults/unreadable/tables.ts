import { toItem as toReservationItem } from '../../../functions/billing/adapters/reservation-writes.ts';
import { toItem as toFileItem } from '../../../functions/files/adapters/dynamo-files.ts';
import { toItem as toAuditItem } from '../../../functions/identity/adapters/audit-trail.ts';
import { auditIdPrefix } from '../../../functions/identity/domain/audit.ts';
import { type Attributes, encode } from '../../../functions/platform/aws/attributes.ts';
import { encodeTime } from '../../../functions/platform/domain/ids.ts';
import { toItem as toShareItem } from '../../../functions/shares/adapters/dynamo-shares.ts';
import { toItem as toTaskItem } from '../../../functions/videos/adapters/task-item.ts';
import { toItem as toDeliveryItem } from '../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { aTask } from '../../support/builders/task.ts';
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../support/builders/webhook.ts';
import { type Corruption, corrupt, corruptionsIn } from './corruptions.ts';

export const ACCOUNT = 'corrupted';
export const ENDPOINT = `we_${encodeTime(1)}${'a'.repeat(16)}`;
/** An hour ago, so that everything is due and nothing has expired. */
export const START = Date.now() - 3_600_000;
export const DAY = new Date(START).toISOString().slice(0, 10);
export const COMMITTED = `committed#${new Date().toISOString().slice(0, 7)}`;
const LATER = START + 86_400_000;
const CHARGE = { seconds: 6, unitPrice: '0.40', amount: '2.40', currency: 'USD' };

/** The last letter of an id decides on the part of the due index that it is in. */
const SHARD_LETTERS = 'abcd';

type Table = {
  /** The variable that names the table. */
  readonly variable: string;
  /** The attributes that are keys of the table or of an index: DynamoDB refuses corrupt ones. */
  readonly keys: readonly string[];
  /** An item with every attribute that there is; `id` and `time` are its own. */
  readonly full: (id: string, time: number) => Attributes;
  /** One that is processed, where `full` is not. */
  readonly healthy?: (id: string, time: number) => Attributes;
  readonly prefix: string;
  /** An id that sorts by time, if it is not the prefix with a time in letters. */
  readonly toId?: (time: number) => string;
};

const task = (id: string, createdAt: number) =>
  aTask({ id, account: ACCOUNT, createdAt, work: { kind: 'check', dueAt: createdAt } });

export const TABLES = {
  tasks: {
    variable: 'TASK_TABLE',
    keys: ['id', 'account', 'position', 'due_shard', 'due_at'],
    prefix: 'task_',
    healthy: (id, time) => toTaskItem(task(id, time)),
    full: (id, time) => ({
      ...toTaskItem({
        ...task(id, time),
        request: { ...aTask().request, negativePrompt: 'fog' },
        reservation: { id: 'r', month: '2026-11', countsForKey: true, charge: CHARGE },
        operation: 'operation',
        submittedAt: time,
        generatedAt: time,
        refusedSince: time,
        source: { kind: 'address', uri: 'https://upstream.test/file' },
        file: { key: 'videos/file', bytes: 5 },
        completedAt: time,
        failedAt: time,
        expiresAt: LATER,
        charge: CHARGE,
        error: { code: 'internal', message: 'The task failed.' },
      }),
      ...encode({ sweeps: 1 }),
    }),
  },
  deliveries: {
    variable: 'WEBHOOK_DELIVERY_TABLE',
    keys: ['endpointId', 'id', 'due_shard', 'due_at'],
    prefix: 'wd_',
    full: (id, time) =>
      toDeliveryItem(
        aWebhookDelivery(ENDPOINT, aWebhookEvent({ account: ACCOUNT, createdAt: time }), {
          id,
          attempts: 1,
          nextAt: time,
          attemptUntil: time,
          lastAttempt: { at: time, durationMs: 1.5, statusCode: 500, answer: 'no', error: 'status' },
        }),
      ),
  },
  endpoints: {
    variable: 'WEBHOOK_ENDPOINT_TABLE',
    keys: ['account', 'id'],
    prefix: 'we_',
    healthy: (id, time) => endpointItem(id, time),
    full: (id, time) => ({
      ...endpointItem(id, time),
      ...encode({ failingSince: time, disabled: { at: time, reason: 'gone' } }),
    }),
  },
  files: {
    variable: 'FILE_TABLE',
    keys: ['account', 'id', 'due_shard', 'due_at'],
    prefix: 'file_',
    full: (id, time) =>
      toFileItem(
        {
          id,
          account: ACCOUNT,
          name: 'a.png',
          bytes: 10,
          mimeType: 'image/png',
          purpose: 'vision',
          createdAt: time,
          expiresAt: LATER,
          arrived: true,
        },
        time,
      ),
  },
  keys: {
    variable: 'KEY_TABLE',
    keys: ['hash', 'account', 'createdAt'],
    prefix: 'key_',
    full: (id, createdAt) =>
      encode({
        id,
        hash: id,
        account: ACCOUNT,
        name: 'a key',
        kind: 'plain',
        lastFour: 'abcd',
        createdAt,
        revokedAt: createdAt,
        expiresAt: createdAt,
        monthlyBudget: '5',
        requestsPerSecond: 1,
      }),
  },
  shares: {
    variable: 'SHARE_TABLE',
    keys: ['id', 'account'],
    prefix: 'share_',
    full: (id, createdAt) =>
      toShareItem({
        id,
        tokenHash: 'hash',
        account: ACCOUNT,
        keyId: 'key_1',
        item: { kind: 'video', id: 'task_1', createdAt },
        showsPrompt: true,
        createdAt,
        expiresAt: LATER,
      }),
  },
  audit: {
    variable: 'AUDIT_TABLE',
    keys: ['account', 'id'],
    prefix: 'audit_log-',
    toId: (time) => `${auditIdPrefix(time)}${'0'.repeat(16)}`,
    full: (id, at) =>
      toAuditItem({
        id,
        account: ACCOUNT,
        at,
        type: 'share.created',
        resourceId: 'share_1',
        actor: { kind: 'session', id: 'sess_1', personId: 'user_1', email: 'ada@example.com' },
        ip: '192.0.2.1',
        userAgent: 'a browser',
        details: {},
      }),
  },
  sessions: {
    variable: 'SESSION_TABLE',
    keys: ['id', 'account', 'createdAt'],
    prefix: 'sess_',
    toId: (time) => `sess_${time.toString(16).padStart(32, '0')}`,
    full: (id, createdAt) =>
      encode({
        id,
        account: ACCOUNT,
        createdAt,
        expiresAt: LATER,
        endsAt: LATER,
        renewAt: LATER,
        role: 'admin',
        secretHash: 'hash',
        expires: LATER,
      }),
  },
  charges: {
    variable: 'CHARGE_TABLE',
    keys: ['id', 'account', 'time'],
    prefix: 'task_',
    full: (id, time) =>
      encode({
        ...CHARGE,
        id,
        kind: 'video',
        account: ACCOUNT,
        keyId: 'key_1',
        personId: 'user_1',
        taskId: id,
        model: 'video-3.1-generate-preview',
        resolution: '720p',
        time,
      }),
  },
  usage: {
    variable: 'USAGE_TABLE',
    keys: ['account', 'entry'],
    prefix: 'key_',
    full: (id) => ({
      ...encode({
        account: ACCOUNT,
        entry: `day#${DAY}#${id}#user_1#video-3.1-generate-preview#720p#USD`,
        day: DAY,
        keyId: id,
        personId: 'user_1',
        kind: 'video',
        model: 'video-3.1-generate-preview',
        size: '720p',
        quantity: 6,
        requests: 1,
        currency: 'USD',
      }),
      amount: { N: '2.4' },
    }),
  },
  accounts: {
    variable: 'ACCOUNT_TABLE',
    keys: ['account'],
    prefix: 'account_',
    full: (account) => ({
      ...encode({ account, monthlyBudget: '5', videosAtOnce: 1, createsPerMinute: 1, videos: 1 }),
      [COMMITTED]: { N: '2.4' },
    }),
  },
  reservations: {
    variable: 'RESERVATION_TABLE',
    keys: ['taskId', 'due_shard', 'due_at'],
    prefix: 'request_',
    full: (taskId, at) =>
      toReservationItem({
        id: 'r',
        kind: 'videos',
        // Releases in one account would wait for each other.
        account: taskId,
        keyId: 'key_1',
        countsForKey: true,
        month: '2026-11',
        amount: '2.40',
        taskId,
        at,
      }),
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;

function endpointItem(id: string, createdAt: number): Attributes {
  const { oldSecret: _, ...endpoint } = aWebhookEndpoint({
    id,
    account: ACCOUNT,
    createdAt,
  });
  return encode({ ...endpoint, secret: 'sealed', secretHint: 'whsec_…abcde' });
}

export type Stored = {
  readonly id: string;
  readonly item: Attributes;
  /** Undefined for a healthy item. */
  readonly corruption: Corruption | undefined;
};

/** Every corruption of a table's items, each in an item of its own, with a healthy item after every fourth. */
export const itemsFor = (name: TableName): readonly Stored[] => {
  const { full, keys, prefix, ...table }: Table = TABLES[name];
  const faulty = corruptionsIn(full('', 0), keys);
  return faulty.flatMap((corruption, position) =>
    (position % 4 > 0 ? [corruption] : [corruption, undefined]).map((fault, second) => {
      const number = START + 2 * position + second;
      const id =
        table.toId?.(number) ?? `${prefix}${encodeTime(number)}${'a'.repeat(15)}${SHARD_LETTERS[number % 4]}`;
      const item =
        fault === undefined ? (table.healthy ?? full)(id, number) : corrupt(full(id, number), fault);
      return { id, item, corruption: fault };
    }),
  );
};
