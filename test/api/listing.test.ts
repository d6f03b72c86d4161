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
  test('is oldest first when asked', async () => {
    assert.deepEqual((await list('?order=asc')).ids, ids);
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
  test('says that there is no more when the page ends exactly', async () => {
    assert.equal(Reflect.get(await list('?limit=7'), 'has_more'), false);
  });
  test('goes on after a task that is gone', async () => {
    const other = await service.issueKey('list-and-delete');
    const mine: string[] = [];
    for (let count = 0; count < 3; count += 1)
      mine.push(await createVideo(service, `${count} [sample: error 400]`, other));
    const gone = mine[1] ?? '';
    await deleteOnceEnded(gone, other);
    assert.deepEqual((await list(`?after=${gone}`, other)).ids, [mine[0]]);
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
  test('is empty for another account', async () => {
    const page = await list('', await service.issueKey('nobody'));
    assert.deepEqual(
      [page.ids, Reflect.get(page, 'first_id'), Reflect.get(page, 'last_id')],
      [[], null, null],
    );
  });

  test('takes a limit of 1 and of 100', async () => {
    assert.deepEqual((await list('?limit=1')).ids, [ids[6]]);
    assert.deepEqual((await list('?limit=100')).ids, newestFirst());
  });
  test('goes on from the time of an id that names no task', async () => {
    const atTheBeginning = 'task_00000000000000000000000000';
    const atTheEnd = 'task_7zzzzzzzzzzzzzzzzzzzzzzzzz';
    assert.deepEqual((await list(`?after=${atTheBeginning}`)).ids, []);
    assert.deepEqual((await list(`?order=asc&after=${atTheBeginning}`)).ids, ids);
    assert.deepEqual((await list(`?after=${atTheEnd}`)).ids, newestFirst());
    assert.deepEqual((await list(`?order=asc&after=${atTheEnd}`)).ids, []);
  });
  test("goes on from the time of another account's task, and shows nothing of it", async () => {
    const other = await service.issueKey('between');
    const theirs = [await createVideo(service, `x ${HELD_BACK}`, other)];
    assert.deepEqual((await list(`?after=${theirs[0]}`)).ids, newestFirst());
    assert.deepEqual((await list(`?after=${ids[3]}`, other)).ids, []);
    assert.deepEqual((await list(`?order=asc&after=${ids[3]}`, other)).ids, theirs);
  });

  const TABLE: readonly [query: string, param: string][] = [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=', 'limit'],
    ['?order=up', 'order'],
    ['?after=task_x', 'after'],
    ['?after=../x', 'after'],
  ];
  for (const [query, param] of TABLE)
    test(`refuses ${query}`, async () => {
      const answer = await call(service, 'GET', `/v1/videos${query}`);
      assert.deepEqual([answer.status, readError(answer).param], [400, param]);
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
  test('with another request is refused, and not to be retried', async () => {
    const first = await create('reused', 'one');
    const second = await create('reused', 'two');
    assert.deepEqual([second.status, readError(second).code], [409, 'idempotency_key_reused']);
    assert.equal(
      readError(second).message,
      'This Idempotency-Key was used with a different request; use a new key for a new request.',
    );
    assert.equal(second.headers.get('x-should-retry'), 'false');
    assert.equal((await create('reused', 'one')).body.id, first.body.id);
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
