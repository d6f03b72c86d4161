import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { VIDEO_MODELS } from '../../functions/catalogue/domain/models.ts';
import { newTaskId } from '../../functions/platform/domain/ids.ts';
import { toItem } from '../../functions/videos/adapters/task-item.ts';
import { TASK_STATUSES, type Task } from '../../functions/videos/domain/task.ts';
import { aTask } from '../support/builders/task.ts';
import { PEOPLE } from '../support/charges.ts';
import { call } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const account = `filtered-${randomUUID()}`;
const key = await service.issueKey(account);

const BEGIN = 1_767_225_600;
const KEYS = ['key_0000000000000000', 'key_1111111111111111', `sess_${'2'.repeat(32)}`] as const;
const pick = <T>(values: readonly T[], position: number): T =>
  values[position % values.length] ?? assert.fail();

/** A task every 500 ms: two a second, so that seconds have a border to get wrong. */
const TASKS: readonly Task[] = Array.from({ length: 60 }, (_, position) => {
  const createdAt = BEGIN * 1000 + position * 500;
  const task = aTask();
  return {
    ...task,
    id: newTaskId(createdAt),
    account,
    keyId: pick(KEYS, Math.floor(position / 8)),
    personId: PEOPLE[(position + 1) % 3],
    createdAt,
    status: pick(TASK_STATUSES, Math.floor(position / 4)),
    request: { ...task.request, model: pick(VIDEO_MODELS, position) },
    work: undefined,
  };
});

before(async () => {
  const client = new DynamoDBClient(service.operator);
  const TableName = service.outputs.TaskTableName;
  await Promise.all(TASKS.map((task) => client.send(new PutItemCommand({ TableName, Item: toItem(task) }))));
});

const pageSchema = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

const readAll = async (query: string): Promise<string[]> => {
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const answer = await call(service, 'GET', `/v1/videos?limit=12&${query}${after}`, { key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data, last_id, has_more } = pageSchema.parse(answer.body);
    seen.push(...data.map(({ id }) => id));
    if (!has_more) return seen;
    after = `&after=${last_id}`;
  }
};

describe('a filtered list has every task that passes once, in order', () => {
  const [model] = VIDEO_MODELS;
  const CASES: readonly (readonly [query: string, passes: (task: Task) => boolean])[] = [
    [
      `created_after=${BEGIN + 2}&created_before=${BEGIN + 20}&status=failed&model=${model}`,
      ({ createdAt, status, request }) =>
        createdAt >= (BEGIN + 2) * 1000 &&
        createdAt < (BEGIN + 20) * 1000 &&
        status === 'failed' &&
        request.model === model,
    ],
    [`api_key_id=${KEYS[2]}`, ({ keyId }) => keyId === KEYS[2]],
    [`user_id=${PEOPLE[1]}`, ({ personId }) => personId === PEOPLE[1]],
  ];
  for (const [query, passes] of CASES)
    test(query, async () => {
      const expected = TASKS.filter(passes).map(({ id }) => id);
      assert.deepEqual(await readAll(`${query}&order=asc`), expected);
      assert.deepEqual(await readAll(query), expected.toReversed());
    });
});

describe('what is included', () => {
  const id = TASKS[2]?.id ?? '';

  test('is what was asked for, in both ways of writing a list', async () => {
    for (const query of [
      'include[]=request&include[]=charge&include[]=timeline&include[]=file',
      'include=request&include=charge&include=timeline&include=file',
    ]) {
      const { body } = await call(service, 'GET', `/v1/videos/${id}?${query}`, { key });
      assert.deepEqual(body.request, {
        mode: 'text',
        seconds: 6,
        resolution: '720p',
        aspect_ratio: '16:9',
        negative_prompt: null,
        seed: 0,
        inputs: [],
        api_key_id: KEYS[0],
        user_id: PEOPLE[0],
      });
      assert.deepEqual([body.charge, body.file], [null, null]);
      assert.deepEqual(body.timeline, {
        created_at: BEGIN + 1,
        submitted_at: null,
        generated_at: null,
        completed_at: null,
        failed_at: null,
      });
    }
  });

  test('is nothing unless it is asked for, and works for a list', async () => {
    const { body } = await call(service, 'GET', `/v1/videos/${id}`, { key });
    assert.ok(!('request' in body) && !('charge' in body) && !('timeline' in body) && !('file' in body));
    const { body: list } = await call(service, 'GET', '/v1/videos?limit=1&include[]=charge', { key });
    const [first] = pageSchema.parse(list).data;
    assert.ok(first !== undefined && 'charge' in first && !('request' in first));
  });
});
