import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { accountsIn } from '../support/audit.ts';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, MODEL, readId } from '../support/http.ts';
import { file, PNG } from '../support/images.ts';
import { longOr } from '../support/long-tests.ts';
import { plainItem } from '../support/plain-item.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { killSome, service } from './repaired-service.ts';

const TASKS = longOr(4, 40);
const KILLINGS = longOr(6, 100);
const SEED = Number(process.env.FAULT_SEED ?? 20_261_115);

/** A few distinct requests, so that the sample generator renders each of them once. */
const PROMPTS = [
  'a quiet harbour',
  'a quiet harbour [sample: file error 403]',
  'refused [sample: error 400]',
  'withheld [sample: filtered]',
];

const accounts = accountsIn(
  new DynamoDBClient(service.cloud.clientConfig('operator')),
  service.cloud.tableName('AccountsTable'),
  service.cloud.tableName('AuditTable'),
);
await accounts.set('tester', { monthlyBudget: '1000', videosAtOnce: TASKS });

const create = async (position: number): Promise<string> => {
  const form = new FormData();
  const prompt = PROMPTS[position % PROMPTS.length] ?? '';
  for (const [name, value] of Object.entries({ model: MODEL, prompt, seconds: '4' }))
    form.append(name, value);
  if (position % 2 === 0) form.append('input_reference', file(PNG, 'a.png', 'image/png'));
  for (;;) {
    const answer = await call(service, 'POST', '/v1/videos', {
      body: form,
      // A client whose answer was lost repeats its request, and still has one task.
      headers: { 'idempotency-key': `task-${position}` },
    });
    if (answer.status === 200) return readId(answer);
    assert.ok(answer.status >= 500, `refused with ${answer.status}`);
  }
};

const ORDER = ['queued', 'in_progress', 'completed', 'failed'];

const listSchema = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

/** Watches the statuses of all tasks in one page of the list, and fails when one goes backwards. */
const seen = new Map<string, string>();
const watch = async (ids: readonly string[]): Promise<boolean> => {
  const { status: answered, body } = await call(service, 'GET', '/v1/videos?limit=100');
  if (answered >= 500) return false;
  for (const { id, status } of listSchema.parse(body).data) {
    const before = seen.get(id) ?? 'queued';
    assert.ok(ORDER.indexOf(status) >= ORDER.indexOf(before), `${id} went from ${before} to ${status}`);
    assert.ok(before !== 'completed' || status === before, `${id} went from ${before} to ${status}`);
    seen.set(id, status);
  }
  return ids.every((id) => ['completed', 'failed'].includes(seen.get(id) ?? ''));
};

const readItems = async (table: string): Promise<Record<string, unknown>[]> => {
  const pages = await Array.fromAsync(
    paginateScan(
      { client: new DynamoDBClient(service.cloud.clientConfig('operator')) },
      { TableName: service.cloud.tableName(table) },
    ),
  );
  return pages.flatMap(({ Items }) => (Items ?? []).map(plainItem));
};

const keysUnder = async (Prefix: string): Promise<string[]> => {
  const s3 = new S3Client(service.cloud.clientConfig('operator'));
  const { Contents } = await s3.send(
    new ListObjectsV2Command({ Bucket: service.cloud.bucketName('MediaBucket'), Prefix }),
  );
  return (Contents ?? []).map(({ Key }) => Key ?? '').toSorted();
};

/** Sends a step once more, as SQS may. */
const repeatSome = async (random: () => number): Promise<void> => {
  const sqs = new SQSClient(service.cloud.clientConfig('operator'));
  for (const { id, step } of await readItems('TasksTable'))
    if (random() < 0.2)
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: service.cloud.queueUrl('StepsQueue'),
          MessageBody: JSON.stringify({ taskId: id, step }),
        }),
      );
};

test(`${TASKS} tasks end well within their account’s limits while function processes are killed and messages repeated (FAULT_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const ids = await fewAtOnce(TASKS, create);
  assert.equal(new Set(ids).size, TASKS);

  let killed = 0;
  for (let round = 0; !(await watch(ids)) && (killed === 0 || round < KILLINGS); round += 1) {
    killed += killSome(Object.values(service.cloud.functionProcesses()).flat(), random, 0.15);
    if (round % 4 === 0) await repeatSome(random);
    if (round % 4 === 2) await service.cloud.runSchedule('EveryMinute');
    await sleep(300);
  }
  // Claims of killed workers run out; from here on nobody is killed. Each look at the service keeps processes busy.
  const settled = async () => (await readItems('TasksTable')).every((item) => !('due_at' in item));
  for (const holds of [() => watch(ids), settled])
    await until(async () => {
      await service.cloud.runSchedule('EveryMinute');
      return holds();
    }, 3000);

  assert.ok(killed > 0, 'nothing was killed');
  const completed = ids.filter((id) => seen.get(id) === 'completed').toSorted();
  assert.ok(completed.length > 0);
  const charges = await readItems('ChargesTable');
  assert.deepEqual(charges.map(({ taskId }) => String(taskId)).toSorted(), completed);
  assert.deepEqual(
    new Set(charges.map(({ seconds, amount }) => `${seconds} ${amount}`)),
    new Set(['4 1.60']),
  );
  // Every reservation has become a charge, or was taken back.
  const account = await accounts.show('tester', Date.now());
  assert.deepEqual(
    [Number(account?.committed).toFixed(2), account?.videos],
    [(completed.length * 1.6).toFixed(2), 0],
  );
  const days = await readItems('UsageTable');
  assert.equal(
    days.reduce((sum, { requests }) => sum + Number(requests), 0),
    completed.length,
  );
  const files = (await readItems('TasksTable')).flatMap(({ task }) => Object(task).file?.key ?? []);
  assert.equal(files.length, completed.length);
  assert.deepEqual(await keysUnder('videos/'), files.toSorted());
  // Every second request has an image, which stays with its task.
  const kept = (await keysUnder('inputs/')).map((key) => /^inputs\/\w+\/(task_\w+)\//.exec(key)?.[1]);
  const withImage = ids.filter((_, position) => position % 2 === 0);
  assert.deepEqual(new Set(kept), new Set(withImage));
});
