import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { PEOPLE } from '../../support/charges.ts';
import { call, MODEL, readId, waitFor } from '../../support/http.ts';
import { bearer, CHAT, chatBody, post } from '../../support/images/requests.ts';
import { addPerson } from '../../support/sessions.ts';
import { until } from '../../support/until.ts';
import { service } from './service.ts';

const store = { clientConfig: service.operator, outputs: service.outputs };
const account = 'people';
const [, colleague] = PEOPLE;
const { id: person } = await addPerson(service, account, 'member');

test('videos, images and charges name the person to whom the key belongs, in no other account', async () => {
  const client = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account, { ownerId: person }) };
  const shared = { ...client, apiKey: await service.issueKey(account) };
  const create = async (access: typeof client) =>
    readId(
      await call(access, 'POST', '/v1/videos', { json: { model: MODEL, prompt: 'a harbour', seconds: 4 } }),
    );
  const [own, others] = [await create(client), await create(shared)];
  const image = { ...chatBody('a harbour'), imageConfig: { imageSize: '1K' } };
  assert.equal((await post(service, CHAT, bearer(client.apiKey), image)).status, 200);
  await Promise.all([waitFor(client, own), waitFor(client, others)]);

  const list = async (path: string, key = client.apiKey): Promise<Record<string, unknown>[]> => {
    const { status, body } = await call(client, 'GET', path, { key });
    assert.equal(status, 200, JSON.stringify(body));
    return Object(body.data);
  };
  const videos = await list(`/v1/videos?user_id=${person}&include[]=request`);
  assert.deepEqual(
    videos.map(({ id, request }) => [id, Object(request).user_id]),
    [[own, person]],
  );
  assert.deepEqual(await list(`/v1/videos?user_id=${colleague}`), []);
  const { body: other } = await call(shared, 'GET', `/v1/videos/${others}?include[]=request`);
  assert.equal(Object(other.request).user_id, null);
  const images = await list(`/v1/files?user_id=${person}`);
  assert.deepEqual(
    images.map(({ purpose, user_id }) => [purpose, user_id]),
    [['output', person]],
  );

  const admin = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
  const charges = () => list('/v1/organization/charges', admin);
  await until(async () => (await charges()).length === 3, 100);
  assert.deepEqual(
    (await charges()).map(({ task_id, user_id }) => [task_id, user_id]).toSorted(),
    [
      [null, person],
      [own, person],
      [others, null],
    ].toSorted(),
  );
  const costs = async (query: string, key = admin) => {
    const start = Math.floor(Date.now() / 1000) - 86_400;
    const days = await list(`/v1/organization/costs?start_time=${start}&${query}`, key);
    return days.flatMap(({ results }) => Object(results).map((sum: object) => Object(sum)));
  };
  assert.deepEqual(
    (await costs('group_by[]=user_id')).map((sum) => [sum.user_id, sum.amount.decimal]).toSorted(),
    [
      [null, '1.6'],
      [person, '1.67'],
    ].toSorted(),
  );
  assert.deepEqual(
    (await costs(`user_ids[]=${person}`)).map((sum) => [sum.user_id, sum.amount.decimal]),
    [[null, '1.67']],
  );
  const foreign = await issueApiKey(store, { account: 'strangers', name: 'billing', kind: 'admin' });
  assert.deepEqual(await costs(`user_ids[]=${person}&group_by[]=user_id`, foreign), []);
  const strangers = await service.issueKey('strangers');
  assert.deepEqual(await list(`/v1/videos?user_id=${person}`, strangers), []);
  assert.deepEqual(await list(`/v1/files?user_id=${person}`, strangers), []);
});
