import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { fileKey } from '../../../functions/files/domain/file-keys.ts';
import { uploadEndsAt } from '../../../functions/files/domain/files.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { jpegWithBytes, readUpload, send } from '../../support/files.ts';
import { readError, readId } from '../../support/http.ts';
import { longOr } from '../../support/long-tests.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { dynamo, openAccount, removedBytes, table } from './file-accounts.ts';
import { service } from './service.ts';

test('seven creates at once keep no more than the limit, and what is refused leaves nothing', async () => {
  const { store, offer, used, keys } = await openAccount();
  const answers = await Promise.all(
    Array.from({ length: 7 }, (_, index) => (index % 2 === 0 ? store(3_300_000) : offer(3_300_000))),
  );
  const [created, refused] = [200, 429].map((status) => answers.filter((each) => each.status === status));
  assert.deepEqual([created?.length, refused?.length], [3, 4]);
  assert.equal(await used(), 3 * 3_300_000);
  assert.equal((await keys()).length, created?.filter(({ body }) => body.status === 'processed').length);
  const [first = assert.fail('none is refused')] = refused ?? [];
  assert.equal(readError(first).code, 'insufficient_quota');
  assert.match(readError(first).message, /9\.9 of 10 MB are used, and this file has 3\.3 MB\. Delete files/);
  assert.equal(first.headers.get('x-should-retry'), 'false');
});

test('a deleted file counts while its bytes are kept for the tasks that have it, and then gives its storage back once', async () => {
  const { account, store, used, keys, remove, age } = await openAccount();
  const id = readId(await store(2_000_000));
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => remove(id)))).map(
    ({ status }) => status,
  );
  assert.ok(statuses.includes(200));
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 404),
    [],
  );
  assert.equal(await used(), 2_000_000);
  assert.equal(await removedBytes(account, id), 2_000_000);
  await age(id, { due_at: Date.now() });
  await Promise.all([service.cloud.runSchedule('EveryHour'), service.cloud.runSchedule('EveryHour')]);
  assert.deepEqual([await used(), await keys()], [0, []]);
  await assert.rejects(removedBytes(account, id), { name: 'NoSuchKey' });
});

test('the clean-up ends what expired or never came, and keeps what came unnoticed', async () => {
  const { account, store, offer, used, keys, find, age } = await openAccount();
  const expired = readId(await store(1_000_000));
  const unsent = readId(await offer(2_000_000));
  const offered = await offer(3000);
  const unnoticed = readId(offered);
  const young = readId(await offer(400));
  assert.deepEqual(await send(readUpload(offered.body), jpegWithBytes(3000)), [200, undefined]);
  const past = Date.now() - 1;
  const createdAt = past - uploadEndsAt({ createdAt: 0 });
  await age(expired, { createdAt, expiresAt: past, due_at: past });
  for (const id of [unsent, unnoticed]) await age(id, { createdAt, due_at: past });
  assert.equal((await find(expired)).status, 404);
  await Promise.all([service.cloud.runSchedule('EveryHour'), service.cloud.runSchedule('EveryHour')]);
  assert.equal(await used(), 1_003_400);
  assert.deepEqual(await keys(), [expired, unnoticed].map((id) => fileKey(account, id)).toSorted());
  assert.equal(await removedBytes(account, expired), 1_000_000);
  assert.equal((await find(unsent)).status, 404);
  assert.equal((await find(unnoticed)).body.status, 'processed');
  assert.equal((await find(young)).body.status, 'uploaded');
});

test('whatever happens at once, what is used is the sum of the files that are kept', async () => {
  const { account, store, offer, remove, used } = await openAccount();
  const random = seededRandom(11);
  const ids: string[] = [];
  const act = async (): Promise<void> => {
    const [choice, bytes] = [random(), 1000 + Math.floor(random() * 1_500_000)];
    const victim = ids[Math.floor(random() * ids.length)];
    if (choice < 0.4 && victim !== undefined) return void (await remove(victim));
    if (choice > 0.95) return void (await service.cloud.runSchedule('EveryHour'));
    const { status, body } = await (choice < 0.7 ? store(bytes) : offer(bytes));
    if (status === 200) ids.push(String(body.id));
    else assert.equal(status, 429);
  };
  for (let round = 0; round < longOr(6, 12); round += 1) await Promise.all(Array.from({ length: 5 }, act));
  const query = new QueryCommand({
    TableName: table,
    KeyConditionExpression: 'account = :account AND begins_with(id, :files)',
    ExpressionAttributeValues: encode({ ':account': account, ':files': 'file_' }),
    ConsistentRead: true,
  });
  const items = (await dynamo.send(query)).Items ?? [];
  const left = items.filter(({ removed }) => removed === undefined);
  assert.ok(left.length > 0 && left.length < items.length);
  assert.equal(
    await used(),
    items.reduce((sum, { bytes }) => sum + Number(bytes?.N), 0),
  );
});

test('a file takes one call to find, and one more while its bytes are under way', async () => {
  const { offer, store, find } = await openAccount();
  const [stored, pending] = [readId(await store(1000)), readId(await offer(1000))];
  const recordCalls = async (name: string, act: () => Promise<unknown>): Promise<string[]> => {
    await act();
    await service.cloud.clearCalls();
    await act();
    const principal = service.cloud.functionId(name);
    return (await service.cloud.calls())
      .filter((each) => each.principal === principal)
      .map(({ action }) => action);
  };
  assert.deepEqual(await recordCalls('GetFile', () => find(stored)), ['dynamodb:GetItem']);
  assert.deepEqual(await recordCalls('GetFile', () => find(pending)), ['dynamodb:GetItem', 's3:GetObject']);
  assert.deepEqual(await recordCalls('CreateFile', () => offer(1000)), [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ]);
});
