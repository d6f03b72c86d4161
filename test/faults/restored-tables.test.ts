import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { GetObjectTaggingCommand } from '@aws-sdk/client-s3';
import { type Attributes, encode } from '../../functions/platform/aws/attributes.ts';
import { NEVER } from '../../functions/platform/domain/retention.ts';
import { fromItem, toItem } from '../../functions/videos/adapters/task-item.ts';
import { type LocalCloud, startLocalCloud } from '../../lib/local/cloud.ts';
import { isAllowedBy } from '../../lib/local/control-plane/policy-simulation.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { type AwsCall, HOME, startEmulators } from '../../lib/local/emulators/start.ts';
import { accountLimits, issueApiKey, listApiKeys, revokeApiKey } from '../../lib/operator/administration.ts';
import { restoreStack } from '../../lib/operator/restore.ts';
import { startSampleGenerator } from '../../lib/sample-generator/server.ts';
import { documentedKeyPolicy, keyNeeds } from '../api/observed/key-needs.ts';
import { namesInCell, readDocument, tableRows } from '../docs/sections.ts';
import { assemblyFor, samplesFolder } from '../support/assembly.ts';
import { openClients } from '../support/aws-clients.ts';
import { total } from '../support/charges.ts';
import { startInThisProcess } from '../support/functions-in-one-process.ts';
import { call, createVideo } from '../support/http.ts';
import { nextSecond } from '../support/next-second.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = await temporaryFolder('restored');
const upstreamKey = 'upstream-key-for-tests';
const generator = await startSampleGenerator({
  apiKey: upstreamKey,
  cacheDir: samplesFolder(folder),
  generationSeconds: 1,
  retryDelaySeconds: 1,
  drafts: true,
});
const data = await openDataFolder(join(folder, 'data'));
const files = await assemblyFor(generator.url, folder);
const resolveSecret = ({ logicalId }: { logicalId: string }) =>
  logicalId.startsWith('Upstream') ? upstreamKey : undefined;
const RECENT = { restorableAfterSeconds: 0 };
const OPTIONS = { port: 0, schedules: false, startChild: startInThisProcess };
const start = () => startLocalCloud({ ...files, ...RECENT, ...OPTIONS, data, resolveSecret });

let cloud: LocalCloud | undefined;
after(async () => {
  await cloud?.close();
  await generator.close();
  await data.release();
});

const ACCOUNT = 'tester';
/** The upstream refuses the first submit, so that the task stays queued. */
const REFUSED = 'refused once [sample: error 429 retry 700s]';

type Stack = Parameters<typeof restoreStack>[0];

const scan = async ({ clientConfig, outputs }: Stack, output: string) => {
  const client = new DynamoDBClient(clientConfig);
  const pages = await Array.fromAsync(
    paginateScan({ client }, { TableName: outputs[output], ConsistentRead: true }),
  );
  return pages.flatMap(({ Items = [] }) => Items);
};

/** Attributes of a charge with which it cannot be counted. */
const HOSTILE: readonly Attributes[] = [
  { amount: { S: 'much' } },
  { amount: { S: '9'.repeat(38) } },
  { time: { N: '-5' } },
  { time: { N: '-1e30' } },
  { time: { N: '1e100' } },
  { upstreamCost: { S: '1' } },
  { upstreamCost: { M: { amount: { S: 'much' }, currency: { S: 'USD' } } } },
  { model: { S: 'm'.repeat(2000) } },
  { model: { BOOL: true } },
  { taskId: { S: 't'.repeat(3000) }, keyId: { N: '1' } },
  { keyId: { S: 'k'.repeat(3000) } },
];
const hostileCharges = (charge: Attributes): Attributes[] =>
  HOSTILE.map((change, index) => ({
    ...charge,
    taskId: { S: `hostile-${index}` },
    ...change,
    more: { L: [{ NULL: true }] },
    id: { S: `hostile\u001b[31m${index}` },
  }));
const HOSTILE_FILE = { ...encode({ account: ACCOUNT, id: 'file_1' }), removed: { N: '1e99' } };
/** Values of every type, as large as an item can be, in tables whose items return as they were. */
const UNREADABLE: Attributes = {
  ...encode({ role: ['admin'], expiresAt: null, tokenHash: { deep: [{ deeper: 1 }] } }),
  name: { S: 'x'.repeat(390_000) },
  createdAt: { N: '-1e100' },
  email: { SS: ['b', 'a', 'c'] },
  limits: { M: { seen: { NS: ['2', '10', '1'] } } },
};
const EXACT_TABLES = ['KeyTableName', 'MemberTableName', 'WebhookEndpointTableName', 'ShareTableName'];
const HOSTILE_TASK = { id: { S: 'hostile\u001b[2J' }, task: { L: [] } };

const tableOutputs = ({ outputs }: Stack): string[] =>
  Object.keys(outputs).filter((name) => name.endsWith('TableName'));

const snapshot = async (stack: Stack): Promise<string> => {
  const tables = await Promise.all(tableOutputs(stack).map((output) => scan(stack, output)));
  return JSON.stringify(tables.map((items) => items.map((item) => JSON.stringify(item)).toSorted()));
};

const chargedTasks = async (stack: Stack): Promise<(string | undefined)[]> =>
  (await scan(stack, 'ChargeTableName')).map(({ taskId }) => taskId?.S).toSorted();

const OPERATOR = 'operator';
/** What AWS saw of the restores. */
const calls: AwsCall[] = [];

/** From the developer guide of DynamoDB: it fills the copy in the name of the caller. */
const FILLING = ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'];

const runEmulators = async (run: (stack: Stack) => Promise<void>, outputs: Stack['outputs']) => {
  const { masterSecret } = data;
  const dataDir = data.path('emulators');
  const emulators = await startEmulators({ ...HOME, ...RECENT, dataDir, masterSecret, secrets: {} });
  try {
    const { endpoint } = emulators;
    const credentials = emulators.credentials(OPERATOR);
    await run({ outputs, clientConfig: { endpoint, region: HOME.region, credentials } });
    calls.push(...(await emulators.calls()));
  } finally {
    await emulators.close();
  }
};

describe('a restore to a moment in mid-load', () => {
  const tasks: Record<string, string> = {};
  const lines: string[] = [];
  let apiKey = '';
  let revokedIds: readonly string[] = [];
  let moment = 0;
  let outputs: Stack['outputs'] = {};

  const running = () => cloud ?? assert.fail('no cloud');
  const stack = (): Stack => ({
    outputs: running().outputs,
    clientConfig: running().clientConfig(OPERATOR),
  });
  const service = () => ({ baseUrl: running().baseUrl, apiKey });
  const status = async (id: string | undefined): Promise<unknown> =>
    (await call(service(), 'GET', `/v1/videos/${id}`)).body.status ?? 'missing';
  const create = async (name: string, prompt: string) => {
    tasks[name] = await createVideo(service(), prompt);
  };
  const keep = async (kept: boolean) => {
    const { status: answer } = await call(service(), 'POST', `/v1/library/${tasks.kept}`, { json: { kept } });
    assert.equal(answer, 200);
  };
  const isCharged = async (...names: string[]) => {
    const charged = await chargedTasks(stack());
    return names.every((name) => charged.includes(tasks[name]));
  };

  /** For each of the tables that keep no rules of their own, an item that nobody can read. */
  const unreadableItems = async ({ clientConfig }: Stack) => {
    const client = new DynamoDBClient(clientConfig);
    return Promise.all(
      EXACT_TABLES.map(async (output) => {
        const TableName = outputs[output];
        const { Table } = await client.send(new DescribeTableCommand({ TableName }));
        const names = (Table?.KeySchema ?? []).flatMap(({ AttributeName }) => AttributeName ?? []);
        const key = Object.fromEntries(names.map((name) => [name, { S: 'unreadable' }]));
        return { client, TableName, key, item: { ...UNREADABLE, ...key } };
      }),
    );
  };

  before(async () => {
    cloud = await start();
    outputs = cloud.outputs;
    for (const { client, TableName, item: Item } of await unreadableItems(stack()))
      await client.send(new PutItemCommand({ TableName, Item }));
    apiKey = await issueApiKey(stack(), { account: ACCOUNT, name: 'kept' });
    for (const name of ['leaked', 'leaked too']) await issueApiKey(stack(), { account: ACCOUNT, name });
    const keys = (await listApiKeys(stack())).filter(({ name }) => name.startsWith('leaked'));
    revokedIds = keys.map(({ id }) => id);
    await accountLimits(stack()).set(ACCOUNT, { monthlyBudget: '1000', videosAtOnce: 50 });
    await create('finished', 'a quiet harbour');
    await create('deleted', 'a quiet harbour');
    await create('queued', REFUSED);
    await create('kept', 'a quiet harbour');
    await until(() => isCharged('finished', 'deleted', 'kept'));
    await keep(true);
    await create('running', 'a quiet harbour [sample: delay 10s]');
    await until(async () => (await status(tasks.running)) === 'in_progress');
    moment = (await nextSecond()).getTime();
    assert.equal(await status(tasks.running), 'in_progress');
    await keep(false);
    await create('late', 'a quiet harbour');
    await create('lateOpen', `later ${REFUSED}`);
    await until(() => isCharged('running', 'late'));
    await call(service(), 'DELETE', `/v1/videos/${tasks.deleted}`);
    await until(async () => (await status(tasks.deleted)) === 'missing');
    for (const id of revokedIds) await revokeApiKey(stack(), id);
    for (const { client, TableName, key: Key } of await unreadableItems(stack()))
      await client.send(new DeleteItemCommand({ TableName, Key }));
  });

  const restore = (on: Stack, isRehearsal: boolean) =>
    restoreStack(on, { moment, isRehearsal, report: (line) => lines.push(line) });

  test('is refused while the service is running, and outside the recovery period', async () => {
    await assert.rejects(restore(stack(), false), {
      name: 'OperatorError',
      message: /The service is running/,
    });
    const wrong = { moment: 0, isRehearsal: true, report: () => {} };
    await assert.rejects(restoreStack(stack(), wrong), {
      message: /^--to must be from \d{4}-.+ to \d{4}-.+\.$/,
    });
  });

  test('changes nothing in a rehearsal, and leaves no copies', async () => {
    const [before, tables] = [await snapshot(stack()), tableOutputs(stack()).length];
    await restore(stack(), true);
    assert.equal(await snapshot(stack()), before);
    const client = new DynamoDBClient(stack().clientConfig);
    const { TableNames = [] } = await client.send(new ListTablesCommand());
    assert.equal(TableNames.length, tables);
    assert.equal(lines.at(-1), 'Rehearsal: nothing was changed.');
  });

  test('brings damaged items back, and says what is lost', async () => {
    await cloud?.close();
    cloud = undefined;
    lines.length = 0;
    await runEmulators(async (on) => {
      const client = new DynamoDBClient(on.clientConfig);
      const remove = (output: string, key: Record<string, string>) =>
        client.send(new DeleteItemCommand({ TableName: outputs[output], Key: encode(key) }));
      const [charge] = (await scan(on, 'ChargeTableName')).filter(
        ({ taskId }) => taskId?.S === tasks.finished,
      );
      await remove('ChargeTableName', { id: charge?.id?.S ?? '' });
      await remove('TaskTableName', { id: tasks.finished ?? '' });
      await remove('TaskTableName', { id: tasks.queued ?? '' });
      const wrong = { account: ACCOUNT, monthlyBudget: '1', videos: 40 };
      await client.send(new PutItemCommand({ TableName: outputs.AccountTableName, Item: encode(wrong) }));
      const isRevocation = ({ resourceId, type }: Attributes) =>
        type?.S === 'api_key.deleted' && resourceId?.S === revokedIds[0];
      const revocation = (await scan(on, 'AuditTableName')).find(isRevocation) ?? assert.fail('not audited');
      const hostile = hostileCharges(charge ?? assert.fail('no charge'));
      const Items = {
        ChargeTableName: hostile,
        FileTableName: [HOSTILE_FILE],
        AuditTableName: [{ ...revocation, at: { S: 'soon' } }],
        TaskTableName: [HOSTILE_TASK],
      };
      for (const [output, items] of Object.entries(Items))
        for (const Item of items) await client.send(new PutItemCommand({ TableName: outputs[output], Item }));
      const left = async () =>
        (await scan(on, 'ChargeTableName'))
          .filter(({ id }) => id?.S?.startsWith('hostile'))
          .map((item) => JSON.stringify(item))
          .toSorted();
      const before = await left();
      await restore(on, false);
      assert.deepEqual(await left(), before);
      for (const { client: reader, TableName, key: Key, item } of await unreadableItems(on)) {
        const { Item = {} } = await reader.send(new GetItemCommand({ TableName, Key }));
        assert.deepEqual(Object.keys(Item).toSorted(), Object.keys(item).toSorted(), TableName);
        await reader.send(new DeleteItemCommand({ TableName, Key }));
      }
      for (const { id } of hostile) await remove('ChargeTableName', { id: id?.S ?? '' });
      const { TableNames = [] } = await client.send(new ListTablesCommand());
      assert.equal(TableNames.length, tableOutputs(on).length);
    }, outputs);
    assert.ok(lines.every((line) => !line.includes('\u001b')));
    const unreadable = lines.filter((line) => line.startsWith('not counted: an unreadable charge hostile'));
    assert.equal(unreadable.length, HOSTILE.length);
    assert.ok(lines.includes('lost: an unreadable video hostile?[2J'), lines.join('\n'));
    assert.deepEqual(
      lines
        .filter((line) => line.startsWith('lost: video'))
        .map((line) => line.split(',')[0])
        .toSorted(),
      [`lost: video ${tasks.late} of ${ACCOUNT}`, `lost: video ${tasks.lateOpen} of ${ACCOUNT}`].toSorted(),
    );
    // Of the video that was running at the moment, and of one that was created later.
    assert.ok(lines.includes('charges recorded after the moment and kept: 2, 3.20 USD'), lines.join('\n'));
  });

  test('needs the documented permissions on the tables, and on their KMS key', async () => {
    const made = calls.filter(({ principal }) => principal === OPERATOR);
    const needs = made.flatMap(keyNeeds);
    const [, permissions = ''] =
      /^.*Who runs the command needs(.*?)\. /m.exec(readDocument('docs/operate.md')) ?? [];
    const [, ...actions] = namesInCell(permissions);
    // The test itself lists the tables.
    const used = made
      .map(({ action }) => action.replace('dynamodb:', ''))
      .filter((name) => name !== 'ListTables');
    assert.deepEqual(
      new Set(actions.map((action) => action.replace('dynamodb:', ''))),
      new Set([...used, ...FILLING]),
    );
    const [row] = tableRows(['docs/security.md', '## Customer-managed KMS key']).filter(([who]) =>
      who?.includes('run a restore'),
    );
    const keyActions = namesInCell(row?.[1]);
    assert.deepEqual(new Set(needs.map(({ action }) => action)), new Set(keyActions));
    const resource = `arn:aws:kms:us-east-1:${HOME.accountId}:key/1`;
    const mayUse = (Action: readonly string[], action: string) =>
      isAllowedBy([{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: resource }] }], {
        principal: OPERATOR,
        action,
        resource,
        context: { 'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com' },
        resourcePolicy: documentedKeyPolicy(HOME.accountId),
      });
    for (const action of keyActions) {
      assert.ok(await mayUse(keyActions, action), action);
      const others = keyActions.filter((other) => other !== action);
      assert.equal(await mayUse(others, action), false, action);
    }
  });

  test('lets every task end, and charges nothing twice', async () => {
    cloud = await start();
    // Instead of waiting for as long as the upstream asked for.
    const client = new DynamoDBClient(stack().clientConfig);
    const [item] = (await scan(stack(), 'TaskTableName')).filter(({ id }) => id?.S === tasks.queued);
    const task = fromItem(item ?? assert.fail('the queued task is missing'));
    assert.equal(task.status, 'queued');
    const due = toItem({ ...task, work: { kind: 'submit', dueAt: Date.now() - 60_000 } });
    await client.send(new PutItemCommand({ TableName: outputs.TaskTableName, Item: due }));
    await until(async () => {
      await running().runSchedule('EveryMinute');
      return isCharged('queued');
    });
    await until(async () => (await scan(stack(), 'ReservationTableName')).length === 0);
    const ended = ['finished', 'queued', 'running', 'kept', 'deleted', 'late', 'lateOpen'].map(
      (name) => tasks[name],
    );
    assert.deepEqual(await Promise.all(ended.map(status)), [
      'completed',
      'completed',
      'completed',
      'completed',
      'missing',
      'missing',
      'missing',
    ]);
    const charged = ['finished', 'queued', 'running', 'kept', 'deleted', 'late'].map((name) => tasks[name]);
    assert.deepEqual(await chargedTasks(stack()), charged.toSorted());
  });

  test('agrees in charges, daily sums and counters', async () => {
    const amounts = (await scan(stack(), 'ChargeTableName')).map(({ amount }) => amount?.S);
    const sums = (await scan(stack(), 'UsageTableName')).map(({ amount }) => amount?.N);
    assert.equal(Number(total(sums)), Number(total(amounts)));
    const accounts = await scan(stack(), 'AccountTableName');
    const committed = (name: string) =>
      accounts
        .filter(({ account }) => account?.S === name)
        .flatMap((item) => Object.entries(item).filter(([counter]) => counter.startsWith('committed')))
        .map(([, value]) => value.N);
    const [key] = (await listApiKeys(stack())).filter(({ name }) => name === 'kept');
    assert.equal(Number(total(committed(ACCOUNT))), Number(total(amounts)));
    assert.equal(Number(total(committed(`${ACCOUNT}#${key?.id}`))), Number(total(amounts)));
    const [account] = accounts.filter((item) => item.account?.S === ACCOUNT);
    assert.deepEqual([account?.monthlyBudget?.S, Number(account?.videos?.N)], ['1000', 0]);
  });

  test('stores a video for good that was kept at the moment and released since', async () => {
    const { dynamo, s3 } = openClients(running().clientConfig(OPERATOR));
    const find = async () => {
      const Key = encode({ id: tasks.kept });
      const { Item } = await dynamo.send(new GetItemCommand({ TableName: outputs.TaskTableName, Key }));
      return fromItem(Item ?? assert.fail('the kept video is missing'));
    };
    await until(async () => (await find()).work === undefined);
    const { expiresAt, file } = await find();
    assert.equal(expiresAt, NEVER);
    const place = { Bucket: outputs.MediaBucketName, Key: file?.key };
    assert.deepEqual((await s3.send(new GetObjectTaggingCommand(place))).TagSet, []);
    const [account] = (await scan(stack(), 'AccountTableName')).filter((item) => item.account?.S === ACCOUNT);
    assert.equal(Number(account?.keptBytes?.N), file?.bytes);
  });

  test('leaves a revoked key revoked, even if the time of its revocation cannot be read', async () => {
    const keys = await listApiKeys(stack());
    assert.equal(revokedIds.length, 2);
    for (const revoked of revokedIds)
      assert.equal(typeof keys.find(({ id }) => id === revoked)?.revokedAt, 'number');
    assert.equal((await call(service(), 'GET', '/v1/videos')).status, 200);
  });
});
