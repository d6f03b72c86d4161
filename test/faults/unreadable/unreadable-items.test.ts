import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { BatchWriteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inputKey } from '../../../functions/videos/domain/media.ts';
import {
  accountLimits,
  issueApiKey,
  listApiKeys,
  listSessions,
} from '../../../lib/operator/administration.ts';
import { monthUsage } from '../../../lib/operator/month-usage.ts';
import { openFunctions } from '../../support/functions-in-process.ts';
import {
  ACCOUNT,
  assertOutcomes,
  DAY,
  ENDPOINT,
  type Expected,
  itemsFor,
  START,
  type Stored,
  TABLES,
  type TableName,
} from './tables.ts';

const functions = await openFunctions();
const dynamo = new DynamoDBClient(functions.clientConfig);
const sqs = new SQSClient(functions.clientConfig);
const s3 = new S3Client(functions.clientConfig);

const tableName = (table: TableName): string => functions.variable(TABLES[table].variable);
const stack = () => ({
  clientConfig: functions.clientConfig,
  outputs: {
    AccountTableName: tableName('accounts'),
    SessionTableName: tableName('sessions'),
    MemberTableName: functions.variable('MEMBER_TABLE'),
    AuditTableName: tableName('audit'),
  },
});

const store = async (variable: string, items: readonly Stored['item'][]): Promise<void> => {
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  const RequestItems = { [functions.variable(variable)]: requests };
  await dynamo.send(new BatchWriteItemCommand({ RequestItems }));
};

const stored = new Map<string, readonly Stored[]>();
const storedIn = (table: TableName): readonly Stored[] => stored.get(table) ?? assert.fail(table);
for (const [name, table] of Object.entries(TABLES)) {
  const items = itemsFor(table);
  stored.set(name, items);
  await store(
    table.variable,
    items.map(({ item }) => item),
  );
}
await store(TABLES.endpoints.variable, [TABLES.endpoints.item(ENDPOINT, START)]);
const { clientConfig } = functions;
const keyStore = {
  clientConfig,
  outputs: {
    KeyTableName: tableName('keys'),
    MemberTableName: functions.variable('MEMBER_TABLE'),
    AuditTableName: functions.variable('AUDIT_TABLE'),
  },
};
const [plainKey, adminKey] = await Promise.all(
  (['plain', 'admin'] as const).map((kind) => issueApiKey(keyStore, { account: ACCOUNT, name: kind, kind })),
);

/** Finds the keys of a table's items that were told as unreadable since the last look. */
const takeUnreadable = (): ((table: TableName) => string[]) => {
  const lines = functions.takeLog().filter(({ message }) => message === 'item not readable');
  for (const line of lines) {
    assert.equal(line.UnreadableItems, 1);
    assert.doesNotMatch(JSON.stringify(line), /seven|lighthouse|whsec|sealed/);
  }
  return (table) => lines.filter((line) => line.table === tableName(table)).map(({ key }) => String(key));
};

type Entry = Readonly<Record<string, unknown>>;
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null;
type ListRequest = { readonly path?: Record<string, string>; readonly query?: Record<string, string> };

/** All pages of a list. */
const listAll = async (name: string, key: string | undefined, request: ListRequest = {}) => {
  const all: Entry[] = [];
  let next: Record<string, string> = {};
  for (let pages = 1; ; pages += 1) {
    assert.ok(pages < 100, 'the list has an end');
    const query = { ...request.query, ...next };
    const answer = await functions.get(name, { key: key ?? '', ...request, query });
    assert.equal(answer.statusCode, 200, answer.body);
    const { data, has_more: hasMore, last_id: lastId, next_page: nextPage } = JSON.parse(answer.body);
    all.push(...data);
    if (!hasMore) return all;
    assert.ok(data.length > 0, 'a page with more to come has entries');
    next = typeof nextPage === 'string' ? { page: nextPage } : { after: lastId };
  }
};
const ids = (entries: readonly Entry[], field = 'id'): string[] =>
  entries.map((entry) => String(entry[field]));

const listIds = async (...request: Parameters<typeof listAll>): Promise<string[]> =>
  ids(await listAll(...request));

const project = { project_id: ACCOUNT };
const byKey = { start_time: String(Date.parse(DAY) / 1000), group_by: 'api_key_id' };
const listKeysWithUse = async (name: string): Promise<string[]> => {
  const days = await listAll(name, adminKey, { query: byKey });
  return days.flatMap(({ results }) => ids(Array.isArray(results) ? results : [], 'api_key_id'));
};

const VIDEOS: Expected = { table: 'tasks', notices: 'task' };
const DELIVERIES: Expected = { table: 'deliveries', notices: 'delivery' };
const LISTS: readonly (readonly [name: string, expected: Expected, list: () => Promise<string[]>])[] = [
  ['videos', VIDEOS, () => listIds('list-videos', plainKey, { query: { limit: '20' } })],
  [
    'videos, the oldest first and filtered',
    VIDEOS,
    () => {
      const created_after = String(Math.floor(START / 1000) - 1);
      return listIds('list-videos', plainKey, { query: { limit: '50', order: 'asc', created_after } });
    },
  ],
  ['files', { table: 'files' }, () => listIds('list-files', plainKey, { query: { limit: '3' } })],
  ['all files', { table: 'files' }, () => listIds('list-files', plainKey)],
  ['keys', { table: 'keys' }, () => listIds('list-keys', adminKey, { path: project, query: { limit: '4' } })],
  ['shares', { table: 'shares' }, () => listIds('list-shares', plainKey, { query: { limit: '3' } })],
  [
    'audit entries',
    { table: 'audit' },
    () => listIds('list-audit-logs', adminKey, { query: { limit: '3' } }),
  ],
  ['sessions', { table: 'sessions' }, () => listIds('list-sessions', adminKey)],
  ['charges', { table: 'charges' }, () => listIds('list-charges', adminKey, { query: { limit: '3' } })],
  [
    'charges as CSV',
    { table: 'charges' },
    async () => {
      const answer = await functions.get('list-charges', {
        key: adminKey ?? '',
        headers: { Accept: 'text/csv' },
      });
      assert.equal(answer.statusCode, 200);
      const lines: string[] = answer.body.split(/\r?\n/).slice(1, -1);
      return lines.map((line) => line.split(',')[1] ?? '').filter((id) => id.startsWith('task_'));
    },
  ],
  ['costs', { table: 'usage' }, () => listKeysWithUse('get-costs')],
  ['video usage', { table: 'usage' }, () => listKeysWithUse('get-video-usage')],
  [
    'webhook endpoints',
    { table: 'endpoints' },
    () => listIds('list-webhooks', plainKey, { query: { limit: '2' } }),
  ],
  [
    'webhook deliveries',
    DELIVERIES,
    () => {
      const path = { webhook_endpoint_id: ENDPOINT };
      return listIds('list-webhook-deliveries', plainKey, { path, query: { limit: '3' } });
    },
  ],
];

describe('a list', () => {
  for (const [name, expected, list] of LISTS)
    test(`of ${name} has all healthy items and skips the unreadable ones`, async () => {
      functions.takeLog();
      const listed = await list();
      // A list of pages reads some items again.
      const told = new Set(takeUnreadable()(expected.table));
      assertOutcomes(expected, storedIn(expected.table), listed, [...told]);
    });

  test('of one page tells each unreadable item once, and every metric has it', async () => {
    functions.takeLog();
    for (const name of ['get-costs', 'get-video-usage', 'get-image-usage'] as const) {
      await listAll(name, adminKey, { query: byKey });
      const told = takeUnreadable()('usage');
      assert.ok(told.length > 0);
      assert.equal(new Set(told).size, told.length, name);
    }
  });
});

describe('an operator', () => {
  const printed = (table: TableName, lines: readonly string[]): string[] =>
    lines.filter((line) => line.startsWith(`item not readable: ${tableName(table)} `));

  const OPERATED: readonly (readonly [Expected, () => Promise<readonly string[]>])[] = [
    [{ table: 'keys' }, async () => ids(await listApiKeys(keyStore))],
    [{ table: 'sessions' }, async () => ids(await listSessions(stack(), ACCOUNT))],
    [
      { table: 'usage' },
      async () =>
        ids(
          await monthUsage({ clientConfig, tableName: tableName('usage') }, ACCOUNT, DAY.slice(0, 7)),
          'keyId',
        ),
    ],
    [
      { table: 'accounts' },
      async () => (await accountLimits(stack()).list(Date.now())).map((line) => line.split(' ')[0] ?? ''),
    ],
  ];
  for (const [expected, list] of OPERATED)
    test(`lists all healthy ${expected.table} and reads of the unreadable ones beside the list`, async (context) => {
      const lines: string[] = [];
      context.mock.method(console, 'error', (line: string) => void lines.push(line));
      const listed = await list();
      assertOutcomes(expected, storedIn(expected.table), listed, printed(expected.table, lines));
    });
});

const leftIn = async (table: TableName): Promise<ReadonlySet<string>> => {
  const { Items = [], LastEvaluatedKey } = await dynamo.send(
    new ScanCommand({ TableName: tableName(table) }),
  );
  assert.equal(LastEvaluatedKey, undefined);
  // A file that is there is put off until it expires.
  const left = Items.filter(({ due_at }) => Number(due_at?.N ?? 0) <= Date.now());
  return new Set(left.map(({ id, taskId }) => taskId?.S ?? id?.S ?? ''));
};
const goneFrom = async (table: TableName): Promise<string[]> => {
  const left = await leftIn(table);
  return storedIn(table).flatMap(({ id }) => (left.has(id) ? [] : [id]));
};

const messages = async (variable: string): Promise<Entry[]> => {
  const all: Entry[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: functions.variable(variable), MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return all;
    all.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
  }
};

const healthyIds = (table: TableName): string[] =>
  storedIn(table).flatMap(({ id, corrupt }) => (corrupt === undefined ? [id] : []));
const corruptTask = (): string => storedIn('tasks').find(({ corrupt }) => corrupt === 'task')?.id ?? '';

const RECEIVED_ONCE = { ApproximateReceiveCount: '1' };

describe('a background function', () => {
  test('sweeps all that is overdue, and skips the unreadable items of each table', async () => {
    functions.takeLog();
    await functions.invoke('sweeper');
    const told = takeUnreadable();
    const [steps, tries] = await Promise.all([messages('STEP_QUEUE_URL'), messages('WEBHOOK_QUEUE_URL')]);
    assertOutcomes(
      { table: 'tasks', notices: 'step' },
      storedIn('tasks'),
      ids(steps, 'taskId'),
      told('tasks'),
    );
    const sent = tries.flatMap(({ delivery }) => (isEntry(delivery) ? [String(delivery.id)] : []));
    assertOutcomes(
      { table: 'deliveries', notices: 'attempts', passesOver: 'delivery' },
      storedIn('deliveries'),
      sent,
      told('deliveries'),
    );
    assertOutcomes(
      { table: 'reservations' },
      storedIn('reservations'),
      await goneFrom('reservations'),
      told('reservations'),
    );
  });

  test('tells an event to all healthy endpoints', async () => {
    const event = {
      id: 'evt_told',
      type: 'video.completed',
      createdAt: START,
      account: ACCOUNT,
      taskId: 't',
    };
    const body = JSON.stringify({ kind: 'event', event });
    functions.takeLog();
    const answer = await functions.invoke('webhook-worker', {
      Records: [{ messageId: 'm', body, attributes: RECEIVED_ONCE }],
    });
    assert.deepEqual(answer, { batchItemFailures: [] });
    const { Items = [] } = await dynamo.send(
      new ScanCommand({
        TableName: tableName('deliveries'),
        FilterExpression: 'delivery.event.id = :event',
        ExpressionAttributeValues: { ':event': { S: event.id } },
      }),
    );
    const told = Items.map(({ endpointId }) => endpointId?.S);
    for (const id of healthyIds('endpoints')) assert.ok(told.includes(id), id);
    assert.ok(takeUnreadable()('endpoints').length > 0);
  });

  test('fails the tasks of dead letters beside one that cannot be read', async () => {
    const [one = '', other = ''] = healthyIds('tasks');
    const unreadable = corruptTask();
    const Records = [one, unreadable, other].map((taskId) => ({
      messageId: taskId,
      body: JSON.stringify({ taskId, step: 3 }),
      attributes: RECEIVED_ONCE,
    }));
    const answer = await functions.invoke('dead-letter', { Records });
    assert.deepEqual(answer, { batchItemFailures: [{ itemIdentifier: unreadable }] });
    const listed = await listAll('list-videos', plainKey, { query: { status: 'failed' } });
    for (const id of [one, other]) assert.ok(ids(listed).includes(id));
  });

  test('looks after files and leftovers beside unreadable ones', async () => {
    const [ended = '', , unfinished = ''] = healthyIds('tasks');
    const unreadable = corruptTask();
    const Bucket = functions.variable('MEDIA_BUCKET');
    const inputOf = (id: string): string => inputKey({ id, createdAt: Date.now() }, '0');
    const kept = inputOf(unreadable);
    for (const Key of [inputOf(ended), kept, inputOf(unfinished)])
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'image' }));
    functions.takeLog();
    // Inputs are left alone for an hour.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 3_600_000 });
    try {
      await functions.invoke('remove-leftovers');
    } finally {
      mock.timers.reset();
    }
    const told = takeUnreadable();
    assertOutcomes({ table: 'files' }, storedIn('files'), await goneFrom('files'), told('files'));
    assert.deepEqual(told('tasks'), [unreadable]);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'inputs/' }));
    assert.deepEqual(
      Contents.map(({ Key }) => Key),
      // No other task uses its image.
      [kept],
    );
  });
});
