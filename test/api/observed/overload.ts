import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoQueueAges } from '../../../functions/videos/adapters/step-queue.ts';
import { accountSlot, toMinute } from '../../../functions/videos/domain/step-queue.ts';
import { endFunctions } from '../../support/functions-in-one-process.ts';
import { call, HELD_BACK, MODEL, readError } from '../../support/http.ts';
import { service } from './service.ts';

const HOUR = 3_600_000;

const account = 'overloaded';
const key = await service.issueKey(account);
const table = service.cloud.tableName('TasksTable');
const ages = dynamoQueueAges(new DynamoDBClient(service.cloud.clientConfig('operator')), table);

const json = { model: MODEL, prompt: HELD_BACK };
const WAITS = /^The service is overloaded: videos of this account wait more than 60 minutes/;

describe('while the videos of an account wait for more than an hour', () => {
  before(async () => {
    // A create reads the minute before its own; the test may run into the next one.
    const started = Date.now();
    for (const minute of [-1, 0, 1].map((offset) => toMinute(started) + offset))
      await ages.record(minute, {
        onTime: true,
        late: new Map([[accountSlot(account, minute), started - HOUR - 120_000]]),
      });
    // Each process looks once a minute, and may have looked before.
    endFunctions(/CreateVideo|CreateGeneration|Predict/);
  });

  for (const path of ['/v1/videos', '/v1/video/generations'])
    test(`POST ${path} is refused with 503 and Retry-After, in the OpenAI form`, async () => {
      const answer = await call(service, 'POST', path, { json, key });
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '60');
      const { code, type, param, message } = readError(answer);
      assert.deepEqual({ code, type, param }, { code: 'overloaded', type: 'server_error', param: null });
      assert.match(message, WAITS);
    });

  test('predictLongRunning is refused in the native form', async () => {
    const body = { instances: [{ prompt: HELD_BACK }] };
    const path = `/v1beta/models/${MODEL}:predictLongRunning`;
    const answer = await call(service, 'POST', path, { json: body, key });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '60');
    const { error } = answer.body;
    assert.ok(typeof error === 'object' && error !== null);
    const { message, ...rest } = { message: '', ...error };
    assert.deepEqual(rest, { code: 503, status: 'UNAVAILABLE' });
    assert.match(message, WAITS);
  });

  test('nothing is written for a create that is refused', async () => {
    await service.cloud.clearCalls();
    assert.equal((await call(service, 'POST', '/v1/videos', { json, key })).status, 503);
    const principal = service.cloud.functionId('CreateVideo');
    const actions = (await service.cloud.calls())
      .filter((entry) => entry.principal === principal)
      .map(({ action }) => action);
    // When a new minute has begun, its record is read.
    const reads = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'];
    assert.deepEqual(
      actions.filter((action) => !reads.includes(action)),
      [],
    );
  });

  test('another account creates videos', async () => {
    const quiet = await service.issueKey('quiet');
    assert.equal((await call(service, 'POST', '/v1/videos', { json, key: quiet })).status, 200);
  });
});
