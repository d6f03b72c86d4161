import assert from 'node:assert/strict';
import { toItem as toReservationItem } from '../../../functions/billing/adapters/reservation-writes.ts';
import { toItem as toFileItem } from '../../../functions/files/adapters/dynamo-files.ts';
import { toItem as toAuditItem } from '../../../functions/identity/adapters/audit-trail.ts';
import { auditIdPrefix } from '../../../functions/identity/domain/audit.ts';
import { type Attributes, encode } from '../../../functions/platform/aws/attributes.ts';
import { encodeTime } from '../../../functions/platform/domain/ids.ts';
import { toItem as toShareItem } from '../../../functions/shares/adapters/dynamo-shares.ts';
import { toItem as toTaskItem } from '../../../functions/videos/adapters/task-item.ts';
import { toItem as toDeliveryItem } from '../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { aVideoCharge } from '../../support/builders/charge.ts';
import { aFile } from '../../support/builders/file.ts';
import { aTask } from '../../support/builders/task.ts';
import { aWebhookDelivery, aWebhookEndpoint, aWebhookEvent } from '../../support/builders/webhook.ts';

export const ACCOUNT = 'corrupted';
export const ENDPOINT = `we_${encodeTime(1)}${'a'.repeat(16)}`;
/** An hour ago, so that everything is due and nothing has expired. */
export const START = Date.now() - 3_600_000;
export const DAY = new Date(START).toISOString().slice(0, 10);
const LATER = START + 86_400_000;

/** The last letter of an id decides on the part of the due index that it is in. */
const SHARD_LETTERS = 'abcd';

type Table = {
  /** The variable that names the table. */
  readonly variable: string;
  /** Attributes that are corrupt, each in items of its own. */
  readonly corrupt: readonly string[];
  /** An item that is processed; `id` and `time` are its own. */
  readonly item: (id: string, time: number) => Attributes;
  readonly prefix: string;
  /** An id that sorts by time, if it is not the prefix with a time in letters. */
  readonly toId?: (time: number) => string;
};

const task = (id: string, createdAt: number) =>
  aTask({ id, account: ACCOUNT, createdAt, work: { kind: 'check', dueAt: createdAt } });

export const TABLES = {
  tasks: {
    variable: 'TASK_TABLE',
    corrupt: ['task', 'step'],
    prefix: 'task_',
    item: (id, time) => toTaskItem(task(id, time)),
  },
  deliveries: {
    variable: 'WEBHOOK_DELIVERY_TABLE',
    corrupt: ['delivery', 'attempts'],
    prefix: 'wd_',
    item: (id, time) =>
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
    corrupt: ['name'],
    prefix: 'we_',
    item: (id, createdAt) => {
      const { oldSecret: _, ...endpoint } = aWebhookEndpoint({ id, account: ACCOUNT, createdAt });
      return encode({ ...endpoint, secret: 'sealed', secretHint: 'whsec_…abcde' });
    },
  },
  files: {
    variable: 'FILE_TABLE',
    corrupt: ['name'],
    prefix: 'file_',
    item: (id, time) => toFileItem(aFile({ id, account: ACCOUNT, createdAt: time, expiresAt: LATER }), time),
  },
  keys: {
    variable: 'KEY_TABLE',
    corrupt: ['name'],
    prefix: 'key_',
    item: (id, createdAt) =>
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
    corrupt: ['item'],
    prefix: 'share_',
    item: (id, createdAt) =>
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
    corrupt: ['actor'],
    prefix: 'audit_log-',
    toId: (time) => `${auditIdPrefix(time)}${'0'.repeat(16)}`,
    item: (id, at) =>
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
    corrupt: ['role'],
    prefix: 'sess_',
    toId: (time) => `sess_${time.toString(16).padStart(32, '0')}`,
    item: (id, createdAt) =>
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
    corrupt: ['model'],
    prefix: 'task_',
    item: (id, time) => encode(aVideoCharge({ id, account: ACCOUNT, personId: 'user_1', time })),
  },
  usage: {
    variable: 'USAGE_TABLE',
    corrupt: ['quantity'],
    prefix: 'key_',
    item: (id) => ({
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
        costCurrency: null,
      }),
      amount: { N: '2.4' },
    }),
  },
  accounts: {
    variable: 'ACCOUNT_TABLE',
    corrupt: ['monthlyBudget'],
    prefix: 'account_',
    item: (account) =>
      encode({ account, monthlyBudget: '5', videosAtOnce: 1, createsPerMinute: 1, videos: 1 }),
  },
  reservations: {
    variable: 'RESERVATION_TABLE',
    corrupt: ['amount'],
    prefix: 'request_',
    item: (taskId, at) =>
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

export type Stored = {
  readonly id: string;
  readonly item: Attributes;
  /** The corrupt attribute; undefined in a healthy item. */
  readonly corrupt: string | undefined;
};

const withWrongType = (item: Attributes, attribute: string): Attributes => {
  const value = item[attribute] ?? assert.fail(attribute);
  return { ...item, [attribute]: value.S === undefined ? { S: 'seven' } : { N: '7' } };
};

const ITEMS = 20;

/** Every fifth item is healthy, so that some pages have none. */
export const itemsFor = ({ corrupt, item, prefix, toId }: Table): readonly Stored[] =>
  Array.from({ length: ITEMS }, (_, position) => {
    const time = START + position;
    const id = toId?.(time) ?? `${prefix}${encodeTime(time)}${'a'.repeat(15)}${SHARD_LETTERS[time % 4]}`;
    const attribute = position % 5 === 0 ? undefined : corrupt[position % corrupt.length];
    const healthy = item(id, time);
    return {
      id,
      item: attribute === undefined ? healthy : withWrongType(healthy, attribute),
      corrupt: attribute,
    };
  });

/** What a reader makes of the items of a table. */
export type Expected = {
  readonly table: TableName;
  /** The corrupt attributes that it notices; all of them if not said. */
  readonly notices?: string;
  /** The corrupt attribute of items that are neither processed nor unreadable. */
  readonly passesOver?: string;
};

/** Every item is processed once, or told as unreadable once by its key. */
export const assertOutcomes = (
  { table, notices, passesOver }: Expected,
  items: readonly Stored[],
  processed: readonly string[],
  toldKeys: readonly string[],
): void => {
  const actual = ({ id }: Stored): string => {
    const told = toldKeys.filter((key) => key.includes(id)).length;
    return `processed ${processed.filter((one) => one === id).length}, told ${told}`;
  };
  const expected = ({ corrupt }: Stored): string => {
    if (corrupt !== undefined && corrupt === passesOver) return 'processed 0, told 0';
    const isNoticed = corrupt !== undefined && (notices ?? corrupt) === corrupt;
    return isNoticed ? 'processed 0, told 1' : 'processed 1, told 0';
  };
  const describe = (judge: (item: Stored) => string) =>
    items.map((item) => `${table}, ${item.corrupt ?? 'healthy'}, ${item.id}: ${judge(item)}`);
  assert.deepEqual(describe(actual), describe(expected));
  const unreadable = items.filter((item) => expected(item).endsWith('told 1'));
  assert.equal(toldKeys.length, unreadable.length, 'no other item is unreadable');
};
