import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, withRetries } from '../../../console/api/errors.ts';

const MESSAGE = 'The service is overloaded: videos of this account wait more than 60 minutes to start.';
const overloaded = (retryAfter: string): ApiError =>
  new ApiError(
    503,
    { error: { message: MESSAGE, code: 'overloaded' } },
    new Headers({ 'retry-after': retryAfter }),
  );

test('a wait of a minute is reported as an error at once', async () => {
  let calls = 0;
  const create = () => {
    calls += 1;
    return Promise.reject(overloaded('60'));
  };
  await assert.rejects(withRetries(create), { message: MESSAGE, code: 'overloaded' });
  assert.equal(calls, 1);
});

test('a request is repeated after the seconds that the service asks for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  const create = async () => {
    calls += 1;
    if (calls === 1) throw overloaded('5');
    return 'created';
  };
  const created = withRetries(create);
  await new Promise((resolve) => setImmediate(resolve));
  context.mock.timers.tick(4999);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(calls, 1);
  context.mock.timers.tick(1);
  assert.equal(await created, 'created');
});
