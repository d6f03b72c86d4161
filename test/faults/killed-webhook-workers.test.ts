import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, createVideo } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { plainItem } from '../support/plain-item.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { addEndpoint, readWebhookId, startReceiver } from '../support/webhook-receiver.ts';
import { killSome, service as repaired } from './repaired-service.ts';

const TASKS = longOr(6, 200);
const SEED = Number(process.env.FAULT_SEED ?? 20_261_115);

const service = { ...repaired, apiKey: await repaired.issueKey('told') };
const dynamo = new DynamoDBClient(service.operator);
const table = service.cloud.tableName('WebhookDeliveriesTable');
const random = seededRandom(SEED);

const readItems = async () => {
  const pages = await Array.fromAsync(paginateScan({ client: dynamo }, { TableName: table }));
  return pages.flatMap(({ Items }) => Items ?? []);
};

/** Those that are on their way; the count of tries lies beside them. */
const deliveries = async (): Promise<Record<string, unknown>[]> =>
  (await readItems()).map(plainItem).filter((item) => 'delivery' in item);

/** Tries of killed workers count until their time is over, which the elements of the counting sets begin with. */
const endTries = async (): Promise<void> => {
  for (const item of await readItems()) {
    if ('delivery' in item) continue;
    const ended = Object.entries(item).map(([name, value]): [string, AttributeValue] => [
      name,
      value.SS === undefined
        ? value
        : { SS: [...new Set(value.SS.map((element) => element.replace(/^\d+/, '1')))] },
    ]);
    await dynamo.send(new PutItemCommand({ TableName: table, Item: Object.fromEntries(ended) }));
  }
};

/** Lets the time pass that a lease or a pause takes. */
const passTime = async (): Promise<void> => {
  await endTries();
  for (const { endpointId, id, due_at } of await deliveries())
    if (due_at !== undefined)
      await dynamo
        .send(
          new UpdateItemCommand({
            TableName: table,
            Key: encode({ endpointId: String(endpointId), id: String(id) }),
            UpdateExpression: 'SET due_at = :past, delivery.nextAt = :past REMOVE delivery.attemptUntil',
            ConditionExpression: 'attribute_exists(due_at)',
            ExpressionAttributeValues: encode({ ':past': Date.now() - 60_000 }),
          }),
        )
        .catch((error: unknown) => {
          // It has ended since it was read.
          if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
        });
};

const killWorkers = (probability: number): number => {
  const pids = service.cloud.functionProcesses()[service.cloud.functionId('WebhookWorker')] ?? [];
  return killSome(pids, random, probability);
};

/** Tries are used up by being killed, too; whoever owns the endpoint can have them made anew. */
const resendGivenUp = async (path: string): Promise<void> => {
  for (const { id, delivery } of await deliveries())
    if (Object(delivery).status === 'failed') await call(service, 'POST', `${path}/deliveries/${id}/resend`);
};

test(`${TASKS} tasks are told to a failing endpoint while workers are killed, each under one id (FAULT_SEED=${SEED})`, async (t) => {
  const accepted = new Map<string, string>();
  const tried = new Set<string>();
  const { url, received } = await startReceiver((one) => {
    const id = readWebhookId(one);
    const isFirst = !tried.has(id);
    tried.add(id);
    if (isFirst && tried.size % 2 === 1) return 503;
    accepted.set(id, JSON.parse(one.body).data.id);
    return 200;
  });
  const { path } = await addEndpoint(service, url);
  const PROMPTS = ['refused [sample: error 400]', 'withheld [sample: filtered]'];
  const ids = await fewAtOnce(TASKS, (position) =>
    createVideo(service, PROMPTS[position % PROMPTS.length] ?? ''),
  );

  let killed = 0;
  const told = () => new Set(accepted.values()).size;
  for (let round = 0; told() < TASKS; round += 1) {
    if (round < 8) killed += killWorkers(killed === 0 ? 1 : 0.3);
    await passTime();
    await resendGivenUp(path);
    await service.cloud.runSchedule('EveryMinute');
    await sleep(1000);
  }
  t.diagnostic(`${received.length} tries, ${killed} processes killed`);
  assert.ok(killed > 0, 'nothing was killed');
  assert.ok(received.length > TASKS, 'nothing was tried again');
  assert.deepEqual([...accepted.values()].toSorted(), ids.toSorted());
  await until(async () => {
    await passTime();
    await service.cloud.runSchedule('EveryMinute');
    return (await deliveries()).every((item) => item.due_at === undefined);
  }, 2000);
  assert.equal((await deliveries()).length, TASKS);
  const { body } = await call(service, 'GET', `${path}/deliveries?limit=1`);
  assert.equal(Array.isArray(body.data) && body.data.length, 1);
});
