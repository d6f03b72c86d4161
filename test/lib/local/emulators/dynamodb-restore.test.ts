import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as DynamoDB from '@aws-sdk/client-dynamodb';
import { createTable } from '../../../support/create-table.ts';
import { nextSecond } from '../../../support/next-second.ts';
import { emulated, errorName, sharedEmulators } from './emulated.ts';

const cloud = await emulated({ restorableAfterSeconds: 0 });
after(() => cloud.end());
const INDEXES = { 'by-color': { keys: ['color', 'id'] } } as const;

const put = (TableName: string, id: string, color: string) =>
  cloud.clients.dynamo.send(
    new DynamoDB.PutItemCommand({ TableName, Item: { id: { S: id }, color: { S: color } } }),
  );
const remove = (TableName: string, id: string) =>
  cloud.clients.dynamo.send(new DynamoDB.DeleteItemCommand({ TableName, Key: { id: { S: id } } }));

const restore = async (
  SourceTableName: string,
  TargetTableName: string,
  RestoreDateTime: Date,
  more: Partial<DynamoDB.RestoreTableToPointInTimeCommandInput> = {},
) => {
  const input = { SourceTableName, TargetTableName, RestoreDateTime, ...more };
  const client = cloud.clients.dynamo;
  await client.send(new DynamoDB.RestoreTableToPointInTimeCommand(input));
  await DynamoDB.waitUntilTableExists(
    { client, maxWaitTime: 10, minDelay: 0.01, maxDelay: 0.1 },
    { TableName: TargetTableName },
  );
};

const read = async (TableName: string) => {
  const { Items = [] } = await cloud.clients.dynamo.send(new DynamoDB.ScanCommand({ TableName }));
  return Object.fromEntries(Items.map(({ id, color }) => [id?.S, color?.S]));
};

const enableBackups = (TableName: string) =>
  cloud.clients.dynamo.send(
    new DynamoDB.UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );

test('a table is restored to each moment, with its indexes, after a restart of the emulators too', async () => {
  await createTable(cloud.clients.dynamo, 'versions', ['id'], { indexes: INDEXES });
  await put('versions', 'old', 'red');
  await enableBackups('versions');
  await put('versions', 'changed', 'red');
  await put('versions', 'deleted', 'red');
  const first = await nextSecond();
  await put('versions', 'changed', 'green');
  await remove('versions', 'deleted');
  await cloud.clients.dynamo.send(
    new DynamoDB.TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: 'versions', Item: { id: { S: 'new' }, color: { S: 'blue' } } } },
        { Delete: { TableName: 'versions', Key: { id: { S: 'old' } } } },
      ],
    }),
  );
  const second = await nextSecond();
  await put('versions', 'new', 'black');
  await cloud.restart();
  await restore('versions', 'first', first);
  await restore('versions', 'second', second);
  assert.deepEqual(await read('first'), { old: 'red', changed: 'red', deleted: 'red' });
  assert.deepEqual(await read('second'), { changed: 'green', new: 'blue' });
  assert.deepEqual(await read('versions'), { changed: 'green', new: 'black' });
  const { Items = [] } = await cloud.clients.dynamo.send(
    new DynamoDB.QueryCommand({
      TableName: 'first',
      IndexName: 'by-color',
      KeyConditionExpression: 'color = :red',
      ExpressionAttributeValues: { ':red': { S: 'red' } },
    }),
  );
  const ids = Items.map(({ id }) => id?.S);
  assert.deepEqual(ids, ['changed', 'deleted', 'old']);
});

test('a restored table has no time to live, point-in-time recovery or deletion protection', async () => {
  const { dynamo } = cloud.clients;
  await createTable(dynamo, 'settings', ['id'], { indexes: INDEXES, isProtected: true });
  await enableBackups('settings');
  const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
  await dynamo.send(new DynamoDB.UpdateTimeToLiveCommand({ TableName: 'settings', TimeToLiveSpecification }));
  await restore('settings', 'bare', await nextSecond(), { GlobalSecondaryIndexOverride: [] });
  const describe = async (TableName: string) => {
    const { Table } = await dynamo.send(new DynamoDB.DescribeTableCommand({ TableName }));
    const ttl = await dynamo.send(new DynamoDB.DescribeTimeToLiveCommand({ TableName }));
    const backups = await dynamo.send(new DynamoDB.DescribeContinuousBackupsCommand({ TableName }));
    const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    return [
      Table?.DeletionProtectionEnabled,
      ttl.TimeToLiveDescription?.AttributeName,
      recovery?.PointInTimeRecoveryStatus,
      Table?.GlobalSecondaryIndexes?.length ?? 0,
    ];
  };
  assert.deepEqual(await describe('settings'), [true, 'expires', 'ENABLED', 1]);
  assert.deepEqual(await describe('bare'), [false, undefined, 'DISABLED', 0]);
  const deletion = (TableName: string) =>
    errorName(dynamo.send(new DynamoDB.DeleteTableCommand({ TableName })));
  assert.equal(await deletion('settings'), 'ValidationException');
  assert.equal(await deletion('bare'), 'no failure');
});

test('a restore is refused as on AWS', async () => {
  const now = await nextSecond();
  const { dynamo } = cloud.clients;
  await createTable(dynamo, 'plain', ['id']);
  await createTable(dynamo, 'recoverable', ['id']);
  await enableBackups('recoverable');
  const refusal = (source: string, target: string, moment: Date) =>
    errorName(restore(source, target, moment));
  assert.equal(await refusal('missing', 'target', now), 'TableNotFoundException');
  assert.equal(await refusal('plain', 'target', now), 'PointInTimeRecoveryUnavailableException');
  assert.equal(await refusal('recoverable', 'plain', await nextSecond()), 'TableAlreadyExistsException');
  assert.equal(await refusal('recoverable', 'target', new Date(0)), 'InvalidRestoreTimeException');
  const later = new Date(Date.now() + 60_000);
  assert.equal(await refusal('recoverable', 'target', later), 'InvalidRestoreTimeException');
});

test('the latest moment that can be restored is five minutes ago', async () => {
  const { dynamo } = (await sharedEmulators()).clients;
  await createTable(dynamo, 'recent', ['id']);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const { ContinuousBackupsDescription } = await dynamo.send(
    new DynamoDB.UpdateContinuousBackupsCommand({ TableName: 'recent', PointInTimeRecoverySpecification }),
  );
  const { LatestRestorableDateTime } = ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  assert.ok(Number(LatestRestorableDateTime) <= Date.now() - 300_000);
});
