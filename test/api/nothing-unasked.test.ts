import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { SPELLINGS } from '../../functions/videos/api/foreign-video-fields.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { type Answer, call, HELD_BACK, readId, waitFor } from '../support/http.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';
import { PLAIN_VIDEO } from '../support/other-field-names.ts';
import { until } from '../support/until.ts';

const service = await openSharedService();
const store = { clientConfig: service.operator, outputs: service.outputs };
const account = `asked-${randomUUID()}`;
const apiKey = await issueApiKey(store, { account, name: 'test' });
const adminKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
const access = { baseUrl: service.baseUrl, apiKey };

const URI = dataUri(PNG, 'image/png');
const post = (path: string, json: unknown): Promise<Answer> => call(access, 'POST', path, { json });

test('only what was asked for is made and charged', async () => {
  const before = await call(access, 'GET', '/v1/videos');
  assert.deepEqual(before.body.data, []);
  const names = [...SPELLINGS.input_reference.slice(0, 3), ...SPELLINGS.reference_images.slice(0, 2)];
  const waiting = { ...PLAIN_VIDEO, seconds: 8, prompt: HELD_BACK };
  for (const name of names) assert.equal((await post('/v1/videos', { ...waiting, [name]: URI })).status, 200);
  const asked = readId(
    await post('/v1/video/generations', { ...PLAIN_VIDEO, metadata: { start_image: URI } }),
  );
  assert.equal((await waitFor(access, asked)).body.status, 'completed');

  const { body } = await call(access, 'GET', '/v1/videos?limit=100&include[]=request');
  const tasks: readonly { request: { mode: string } }[] = [...Object(body.data)];
  assert.equal(tasks.length, names.length + 1);
  assert.deepEqual(new Set(tasks.map(({ request }) => request.mode)), new Set(['first_frame', 'references']));

  const readCharges = async (): Promise<readonly { task_id: string; quantity: number }[]> => [
    ...Object((await call(access, 'GET', '/v1/organization/charges', { key: adminKey })).body.data),
  ];
  await until(async () => (await readCharges()).length > 0);
  assert.deepEqual(
    (await readCharges()).map(({ task_id, quantity }) => [task_id, quantity]),
    [[asked, 4]],
  );
});
