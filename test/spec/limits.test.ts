import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { call, MODEL, readId, waitFor } from '../support/http.ts';
import { until } from '../support/until.ts';
import { service } from './requests.ts';

const store = { clientConfig: service.operator, outputs: service.outputs };
const account = `billed-${randomUUID()}`;
const key = await issueApiKey(store, { account, name: 'videos' });
const adminKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });

type Charge = {
  readonly task_id: string;
  readonly quantity: number;
  readonly amount: { readonly decimal: string };
};

/** Generates a video and returns its charge. The test price is 0.40 per second. */
const charge = async (fields: object): Promise<Charge> => {
  const json = { model: MODEL, prompt: 'a quiet harbour', ...fields };
  const id = readId(await call(service, 'POST', '/v1/videos', { key, json }));
  await waitFor({ ...service, apiKey: key }, id);
  const find = async () => {
    const { body } = await call(service, 'GET', '/v1/organization/charges', { key: adminKey });
    return [...Object(body.data)].find((each: Charge) => each.task_id === id);
  };
  await until(async () => (await find()) !== undefined);
  return (await find()) ?? assert.fail('no charge');
};

describe('billing rules', { concurrency: 3 }, () => {
  test('1. Video is billed per second of generated video.', async () => {
    assert.equal((await charge({ seconds: 4 })).amount.decimal, '1.60');
  });

  test('2. When no duration is given, 8 seconds are billed.', async () => {
    assert.equal((await charge({})).amount.decimal, '3.20');
  });

  test('3. 720p, 1080p and 4k are billed by the same rule, with no surcharge for resolution.', async () => {
    assert.equal((await charge({ resolution: '1080p' })).amount.decimal, '3.20');
  });

  test('4. Aspect ratio never changes the price.', async () => {
    assert.equal((await charge({ seconds: 4, aspectRatio: '9:16' })).amount.decimal, '1.60');
  });

  test('5. The final charge is the one in the charge record; a failed task has none.', async () => {
    const json = { model: MODEL, prompt: 'refused [sample: error 400]' };
    const id = readId(await call(service, 'POST', '/v1/videos', { key, json }));
    await waitFor({ ...service, apiKey: key }, id);
    const { body } = await call(service, 'GET', '/v1/organization/charges', { key: adminKey });
    assert.ok(![...Object(body.data)].some((each: Charge) => each.task_id === id));
  });
});
