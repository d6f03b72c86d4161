import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { Webhook } from 'standardwebhooks';
import { accountsIn } from '../../support/audit.ts';
import { requestsBy } from '../../support/aws-requests.ts';
import { call, HELD_BACK, MODEL, readError, readId, waitFor } from '../../support/http.ts';
import { bearer, CHAT, chatBody, post } from '../../support/images/requests.ts';
import { longOr } from '../../support/long-tests.ts';
import { plainItem } from '../../support/plain-item.ts';
import { until } from '../../support/until.ts';
import { addEndpoint, listenForWebhooks } from '../../support/webhook-receiver.ts';
import { service } from './service.ts';

const { cloud } = service;
const dynamo = new DynamoDBClient(cloud.clientConfig('operator'));
const accounts = accountsIn(dynamo, cloud.tableName('AccountsTable'), cloud.tableName('AuditTable'));

/** 4 seconds at 0.40. */
const PRICE = 1.6;

const openClient = async (account: string, monthlyBudget?: string) => ({
  baseUrl: service.baseUrl,
  apiKey: await service.issueKey(account, { monthlyBudget }),
});
type Client = Awaited<ReturnType<typeof openClient>>;

const create = (client: Client, prompt: string, headers: Record<string, string> = {}) =>
  call(client, 'POST', '/v1/videos', { json: { model: MODEL, prompt, seconds: 4 }, headers });

const readItems = async (table: string, account: string) => {
  const pages = await Array.fromAsync(
    paginateScan({ client: dynamo }, { TableName: cloud.tableName(table) }),
  );
  return pages
    .flatMap(({ Items }) => (Items ?? []).map(plainItem))
    .filter((item) => item.account === account);
};
const month = () => new Date().toISOString().slice(0, 7);
const committed = async (account: string) => (await accounts.show(account, Date.now()))?.committed;

const CREATES = longOr(10, 50);

test(`of ${CREATES} creates at once against a budget for 5, 5 become tasks and the others are refused`, async () => {
  await accounts.set('many', { monthlyBudget: '8' });
  const client = await openClient('many');
  const answers = await Promise.all(Array.from({ length: CREATES }, () => create(client, HELD_BACK)));
  const statuses = Map.groupBy(answers, ({ status }) => status);
  assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [5, CREATES - 5]);
  const [refused] = statuses.get(429) ?? [];
  assert.ok(refused !== undefined);
  const { code, type, message } = readError(refused);
  assert.deepEqual([code, type], ['insufficient_quota', 'insufficient_quota']);
  assert.match(message, /budget is used up \(\$8 of \$8\)\. It resets on 1 [A-Z][a-z]+\.$/);
  assert.equal(refused.headers.get('x-should-retry'), 'false');
  assert.equal((await readItems('TasksTable', 'many')).length, 5);
  assert.equal(await committed('many'), '8');
});

test('a completed task is charged, a failed one gives its money back, and the days add up', async () => {
  await accounts.set('ends', { monthlyBudget: '100' });
  const client = await openClient('ends');
  const [done, failed] = [
    readId(await create(client, 'a quiet harbour')),
    readId(await create(client, 'refused [sample: error 400]')),
  ];
  await Promise.all([waitFor(client, done), waitFor(client, failed, ['failed'])]);
  await until(async () => (await accounts.show('ends', Date.now()))?.videos === 0, 100);
  const [charges, days] = [await readItems('ChargesTable', 'ends'), await readItems('UsageTable', 'ends')];
  assert.deepEqual(
    [charges.map(({ amount }) => amount), days.map(({ amount }) => amount)],
    [['1.60'], [PRICE]],
  );
  assert.equal(await committed('ends'), '1.6');
  const [item] = await readItems('AccountsTable', 'ends');
  assert.deepEqual([item?.videos, item?.[`committed#${month()}`]], [0, PRICE]);
  assert.deepEqual(await readItems('ReservationsTable', 'ends'), []);
});

test('a shorter video is charged for its seconds, and the rest of its reservation is released', async () => {
  await accounts.set('shorter', { monthlyBudget: '100' });
  const client = await openClient('shorter', '5');
  const json = { model: MODEL, prompt: 'a quiet harbour [sample: deliver 4s]', seconds: 8 };
  const id = readId(await call(client, 'POST', '/v1/videos', { json }));
  assert.equal(await committed('shorter'), '3.2');
  await waitFor(client, id);
  await until(async () => (await accounts.show('shorter', Date.now()))?.videos === 0, 100);
  const [charges, days] = [
    await readItems('ChargesTable', 'shorter'),
    await readItems('UsageTable', 'shorter'),
  ];
  assert.deepEqual(
    charges.map(({ seconds, amount }) => [seconds, amount]),
    [[4, '1.60']],
  );
  assert.deepEqual(
    days.map(({ quantity, amount }) => [quantity, amount]),
    [[4, PRICE]],
  );
  assert.equal(await committed('shorter'), '1.6');
  const [item] = await readItems('AccountsTable', `shorter#${charges[0]?.keyId}`);
  assert.equal(item?.[`committed#${month()}`], PRICE);
  assert.deepEqual(await readItems('ReservationsTable', 'shorter'), []);
});

test('too many videos at once say when to come again', async () => {
  await accounts.set('busy', { videosAtOnce: 1, createsPerMinute: 100 });
  const client = await openClient('busy');
  const first = await create(client, HELD_BACK);
  assert.equal(first.headers.get('x-ratelimit-limit-requests'), '100');
  assert.equal(first.headers.get('x-ratelimit-remaining-requests'), '99');
  assert.match(first.headers.get('x-ratelimit-reset-requests') ?? '', /^\d{1,2}s$/);
  const second = await create(client, HELD_BACK);
  assert.deepEqual([second.status, readError(second).code], [429, 'rate_limited']);
  assert.match(readError(second).message, /at once: limit 1, used 1/);
  assert.equal(second.headers.get('retry-after'), '20');
});

test('a create within limits makes three calls', async () => {
  await accounts.set('calls', { monthlyBudget: '100' });
  const client = await openClient('calls');
  await create(client, HELD_BACK);
  await cloud.clearCalls();
  await create(client, HELD_BACK);
  assert.deepEqual(requestsBy(await cloud.calls(), cloud.functionId('CreateVideo')), [
    'dynamodb:PutItem + dynamodb:UpdateItem',
    'dynamodb:PutItem',
    'sqs:SendMessage',
  ]);
});

test('an image is held to the budget, before its stream begins too', async () => {
  await accounts.set('images', { monthlyBudget: '0.10' });
  const { apiKey } = await openClient('images');
  const body = { ...chatBody('a harbour'), imageConfig: { imageSize: '1K' } };
  const ask = (stream: boolean) => post(service, CHAT, bearer(apiKey), { ...body, stream });
  assert.equal((await ask(false)).status, 200);
  for (const stream of [false, true]) assert.equal((await ask(stream)).status, 429);
  assert.equal(await committed('images'), '0.07');
});

test('a budget that is set in the middle of a month counts what the month has cost', async () => {
  const client = await openClient('later');
  const body = { ...chatBody('a harbour'), imageConfig: { imageSize: '1K' } };
  assert.equal((await post(service, CHAT, bearer(client.apiKey), body)).status, 200);
  await accounts.set('later', { monthlyBudget: '1.65' });
  const refused = await create(client, HELD_BACK);
  assert.deepEqual([refused.status, readError(refused).code], [429, 'insufficient_quota']);
  assert.match(
    readError(refused).message,
    /has \$1\.58 left \(of \$1\.65\), and this request costs \$1\.60\./,
  );
});

test('80 % and 100 % of a budget are one signed event each, whichever of many requests reach them', async () => {
  await accounts.set('told', { monthlyBudget: '16.5' });
  const client = await openClient('told');
  const receiver = await listenForWebhooks(() => 204);
  const { secret } = await addEndpoint(client, receiver.url, ['budget.threshold_reached']);
  for (let count = 0; count < 7; count += 1) assert.equal((await create(client, HELD_BACK)).status, 200);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(client, HELD_BACK)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 3);
  // The first run may have begun just before, and the second one finds nothing left to send.
  for (let runs = 0; runs < 2; runs += 1) await cloud.runSchedule('EveryMinute');
  await until(async () => receiver.received.length >= 2, 100);
  assert.equal((await create(client, HELD_BACK)).status, 429);
  await cloud.runSchedule('EveryMinute');
  const webhook = new Webhook(secret);
  const events = receiver.received.map(({ body, headers }) => Object(webhook.verify(body, headers)));
  const common = { project_id: 'told', limit: '16.5', currency: 'USD', month: month() };
  const expected = [80, 100].map((threshold) => ({ ...common, threshold }));
  const data = events.map((event) => event.data).toSorted((one, other) => one.threshold - other.threshold);
  assert.deepEqual(
    data.map(({ used, ...rest }) => rest),
    expected,
  );
  // Nine videos are 87 %, and the eleventh does not fit.
  assert.ok(Number(data[0].used) >= 0.8 * 16.5 && Number(data[1].used) === 16, JSON.stringify(data));
  const left = await readItems('ReservationsTable', 'told');
  assert.ok(left.every(({ kind }) => kind !== 'budget'));
  await receiver.close();
});

test('the create that takes an account past 80 % of its budget writes a metric of the account', async () => {
  await accounts.set('nearly', { monthlyBudget: '3.5' });
  const client = await openClient('nearly');
  const lines = () => service.logs().filter((line) => /"budget nearly used".*"account":"nearly"/.test(line));
  assert.equal((await create(client, HELD_BACK)).status, 200);
  assert.deepEqual(lines(), []);
  assert.equal((await create(client, HELD_BACK)).status, 200);
  await until(async () => lines().length > 0, 50);
  const [{ account, BudgetsNearlyUsed, _aws }] = lines().map((line) => JSON.parse(line));
  assert.deepEqual([account, BudgetsNearlyUsed], ['nearly', 1]);
  assert.deepEqual(_aws.CloudWatchMetrics[0].Dimensions, [['service'], ['service', 'account']]);
  assert.equal((await create(client, HELD_BACK)).status, 429);
  assert.equal(lines().length, 1);
});
