import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readDuration, readSize } from '../../support/mp4.ts';
import {
  BEARER,
  finishJob,
  generateFile,
  generateJob,
  type Job,
  type JobServer,
  readJson,
  runOpenAi,
  runOpenRouter,
  startJob,
} from './support/job-servers.ts';

const SERVERS: Readonly<Record<string, JobServer>> = {
  OpenRouter: await runOpenRouter(),
  'the Videos API': await runOpenAi(),
};
after(() => Promise.all(Object.values(SERVERS).map((server) => server.stop())));

const SOON = () => AbortSignal.timeout(700);
const asking = (testPrompt: string) => `A cat [sample: ${testPrompt}]`;
const length = async (response: Response) => (await response.arrayBuffer()).byteLength;

for (const [name, server] of Object.entries(SERVERS)) {
  describe(`test prompts at ${name}`, () => {
    let count = 0;
    // A unique prompt makes the request distinct.
    const once = (testPrompt: string) => {
      count += 1;
      return `${asking(testPrompt)} ${count}`;
    };
    const createdStatus = async () => (await server.create(once('never done'))).status;

    for (const [testPrompt, status] of [
      ['error 400', 400],
      ['error 401', 401],
      ['error 402', 402],
      ['error 403', 403],
      ['error 404', 404],
      ['error 429 per-day', 429],
      ['error 500 always', 500],
      ['error 503 always', 503],
    ] as const)
      test(`${testPrompt} fails every time, with JSON`, async () => {
        const prompt = once(testPrompt);
        for (const _ of [1, 2]) {
          const response = await server.create(prompt);
          assert.equal(response.status, status);
          assert.equal(typeof (await readJson(response)).error.message, 'string');
        }
      });

    for (const testPrompt of ['error 408', 'busy', 'error 502', 'error 504'])
      test(`${testPrompt} is transient`, async () => {
        const prompt = once(`${testPrompt}, never done`);
        const first = (await server.create(prompt)).status;
        assert.ok(first >= 400);
        assert.equal((await server.create(prompt)).status, await createdStatus());
      });

    test('error 429 names the delay in Retry-After, and a used-up daily quota names none', async () => {
      const retryAfter = async (testPrompt: string) =>
        (await server.create(once(testPrompt))).headers.get('retry-after');
      assert.equal(await retryAfter('error 429 retry 3s'), '3');
      assert.equal(await retryAfter('busy'), '2');
      assert.equal(await retryAfter('error 429 per-day'), null);
    });

    test('reset breaks the connection once, and hang never answers', async () => {
      const prompt = once('reset, never done');
      await assert.rejects(server.create(prompt));
      assert.equal((await server.create(prompt)).status, await createdStatus());
      await assert.rejects(server.create(once('hang'), {}, { signal: SOON() }), { name: 'TimeoutError' });
    });

    test('delay and slow start postpone the result', async () => {
      const started = performance.now();
      const id = await startJob(server, asking('slow start 0.2s, delay 1s, done without video'));
      assert.ok(performance.now() - started >= 200);
      const { status }: Job = await readJson(await server.poll(id));
      assert.match(status, /^(?:pending|queued)$/);
      assert.equal((await finishJob(server, id)).status, 'completed');
      assert.ok(performance.now() - started >= 1000);
    });

    test('never done keeps the video in progress', async () => {
      const id = await startJob(server, asking('never done'));
      for (const _ of [1, 2]) {
        const { status }: Job = await readJson(await server.poll(id));
        assert.equal(status, 'in_progress');
      }
    });

    for (const testPrompt of ['filtered', 'done with error 13'])
      test(`${testPrompt} ends the video as failed, without content`, async () => {
        const { id, status } = await generateJob(server, asking(testPrompt));
        assert.equal(status, 'failed');
        assert.ok([400, 404].includes((await server.content(id)).status));
      });

    test('done without video completes, but has no content', async () => {
      const { id, status } = await generateJob(server, asking('done without video'));
      assert.equal(status, 'completed');
      assert.equal((await server.content(id)).status, 404);
    });

    test('poll error and poll reset fail one poll each, and poll error 404 all of them', async () => {
      const id = await startJob(server, asking('poll error 503, poll reset, never done'));
      assert.equal((await server.poll(id)).status, 503);
      await assert.rejects(server.poll(id));
      assert.equal((await server.poll(id)).status, 200);
      const vanished = await startJob(server, asking('poll error 404'));
      for (const _ of [1, 2]) assert.equal((await server.poll(vanished)).status, 404);
    });

    test('file error, reset and hang fail one download each', async () => {
      const { id } = await generateJob(server, asking('file error 403, file reset, file hang'));
      assert.equal((await server.content(id)).status, 403);
      await assert.rejects(server.content(id));
      await assert.rejects(server.content(id, { signal: SOON() }), { name: 'TimeoutError' });
      assert.ok((await length(await server.content(id))) > 1000);
    });

    test('file truncated sends half the file, then the whole', async () => {
      const { id } = await generateJob(server, asking('file truncated'));
      await assert.rejects(async () => length(await server.content(id)));
      const whole = await server.content(id);
      assert.equal(await length(whole), Number(whole.headers.get('content-length')));
    });

    test('file not mp4 returns a web page', async () => {
      const { id } = await generateJob(server, asking('file not mp4'));
      assert.match(await (await server.content(id)).text(), /^<!DOCTYPE html>/);
    });

    test('file redirect leads to another host', async () => {
      const { id } = await generateJob(server, asking('file redirect'));
      const { status, headers } = await server.content(id, { redirect: 'manual' });
      const location = new URL(headers.get('location') ?? '');
      assert.equal(status, 302);
      assert.notEqual(location.host, new URL(server.url).host);
      assert.ok((await length(await fetch(location))) > 1000);
    });

    test('size 2MB returns a file of exactly that size', async () => {
      assert.equal((await generateFile(server, asking('size 2MB'))).length, 2_000_000);
    });

    test('deliver makes the video differ from the request', async () => {
      const film = await generateFile(server, asking('deliver 1080p, deliver 3s'));
      assert.deepEqual([readSize(film), readDuration(film)], ['1920x1080', 3]);
      const plain = await generateFile(server, 'A cat');
      assert.deepEqual([readSize(plain), readDuration(plain)], ['1280x720', 4]);
    });

    test('rejects an unknown test prompt', async () => {
      const response = await server.create(asking('explode'));
      assert.equal(response.status, 400);
      assert.match(await response.text(), /Unknown test prompt/);
    });
  });

  describe(`limits of ${name}`, () => {
    const limited = async (limits: Parameters<typeof server.limit>[0], work: () => Promise<void>) => {
      server.limit(limits);
      await work().finally(() => server.limit({}));
    };

    test('a blocked key is refused, and nothing answers while it is down', async () => {
      const create = async () => (await server.create(asking('never done'))).status;
      await limited({ blocked: true }, async () => assert.equal(await create(), 401));
      await limited({ down: true }, async () => assert.equal(await create(), 503));
    });

    test('accepts a number of submits per minute and says when there is room again', () =>
      limited({ submitsPerMinute: 0 }, async () => {
        const { status, headers } = await server.create(asking('never done'));
        const seconds = Number(headers.get('retry-after'));
        assert.ok(status === 429 && seconds > 0 && seconds <= 60);
      }));

    test('every call requires the key', async () => {
      const { id } = await generateJob(server, 'A cat');
      const paths = [`${server.jobs}/${id}`, `${server.jobs}/${id}/content`];
      for (const path of paths)
        for (const headers of [{}, { authorization: 'Bearer wrong' }])
          assert.equal((await fetch(path, { headers })).status, 401);
      assert.equal((await server.create('A cat', {}, { headers: {} })).status, 401);
    });

    test('an unknown video or path is 404', async () => {
      const unknown = (await startJob(server, asking('never done'))).replace(/.$/, (last) =>
        last === '0' ? '1' : '0',
      );
      assert.equal((await server.poll(unknown)).status, 404);
      assert.equal((await server.content(unknown)).status, 404);
      assert.equal((await fetch(`${server.url}/unknown`, { headers: BEARER })).status, 404);
    });
  });
}
