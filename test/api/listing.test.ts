import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { call, createVideo, HELD_BACK, MODEL, readError } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';
import { until } from '../support/until.ts';

const service = await openSharedService();
const ids: string[] = [];
before(async () => {
  // Held back at the upstream, so that no rendering takes time from the test.
  for (let count = 0; count < 7; count += 1) ids.push(await createVideo(service, `${count} ${HELD_BACK}`));
});

const list = async (query: string, key?: string) => {
  const { body } = await call(service, 'GET', `/v1/videos${query}`, { key });
  const data = Array.isArray(body.data) ? body.data : [];
  return { ...body, ids: data.map((video: unknown) => Reflect.get(Object(video), 'id')) };
};
const deleteOnceEnded = (id: string, key: string) =>
  until(async () => (await call(service, 'DELETE', `/v1/videos/${id}`, { key })).status === 200);
const newestFirst = () => ids.toReversed();

describe('the list', () => {
  test('is newest first, and tells where it begins and ends', async () => {
    const page = await list('');
    assert.deepEqual(page.ids, newestFirst());
    assert.deepEqual(
      [
        Reflect.get(page, 'object'),
        Reflect.get(page, 'first_id'),
        Reflect.get(page, 'last_id'),
        Reflect.get(page, 'has_more'),
      ],
      ['list', ids[6], ids[0], false],
    );
  });
  test('comes in pages that neither overlap nor leave out', async () => {
    const first = await list('?limit=3');
    const second = await list(`?limit=3&after=${first.ids.at(-1)}`);
    const third = await list(`?limit=3&after=${second.ids.at(-1)}`);
    assert.deepEqual([...first.ids, ...second.ids, ...third.ids], newestFirst());
    assert.deepEqual(
      [first, second, third].map((page) => Reflect.get(page, 'has_more')),
      [true, true, false],
    );
    assert.deepEqual((await list(`?limit=3&order=asc&after=${ids[2]}`)).ids, ids.slice(3, 6));
  });
  test('goes on after a task that is gone, though its id came from an Idempotency-Key', async () => {
    const key = await service.issueKey('list-and-delete-by-key');
    const mine: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await call(service, 'POST', '/v1/videos', {
        key,
        json: { model: MODEL, prompt: `${count} [sample: error 400]` },
        headers: { 'idempotency-key': `key-${count}` },
      });
      mine.push(String(body.id));
    }
    const gone = mine[1] ?? '';
    await deleteOnceEnded(gone, key);
    assert.equal((await call(service, 'GET', `/v1/videos/${gone}`, { key })).status, 404);
    assert.deepEqual((await list(`?after=${gone}`, key)).ids, [mine[0]]);
    const foreign = await call(service, 'GET', `/v1/videos?after=${gone}`);
    assert.deepEqual([foreign.status, readError(foreign).param], [400, 'after']);
    const again = await call(service, 'POST', '/v1/videos', {
      key,
      json: { model: MODEL, prompt: 'anew [sample: error 400]' },
      headers: { 'idempotency-key': 'key-1' },
    });
    assert.deepEqual([again.status, again.body.id], [200, gone]);
    assert.deepEqual((await list('', key)).ids, [gone, mine[2], mine[0]]);
  });
});

describe('an Idempotency-Key', () => {
  const create = (key: string, prompt: string) =>
    call(service, 'POST', '/v1/videos', {
      json: {
        model: 'video-3.1-generate-preview',
        prompt: `${prompt} ${HELD_BACK}`,
      },
      headers: { 'idempotency-key': key },
    });

  test('makes one task of many requests at once, with equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: longOr(6, 20) }, () => create('many', 'once')));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body, status: '', progress: 0 }));
    assert.equal(new Set(bodies).size, 1);
    const same = (await list('?limit=100')).ids.filter((id) => id === answers[0]?.body.id);
    assert.equal(same.length, 1);
  });
  test('of one account says nothing to another', async () => {
    const other = await service.issueKey('other');
    const mine = await create('shared', 'p');
    const theirs = await call(service, 'POST', '/v1/videos', {
      key: other,
      json: { model: 'video-3.1-generate-preview', prompt: 'p [sample: error 400]' },
      headers: { 'idempotency-key': 'shared' },
    });
    assert.equal(theirs.status, 200);
    assert.notEqual(theirs.body.id, mine.body.id);
  });
});
