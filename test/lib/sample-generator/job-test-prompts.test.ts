import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as jobs from './support/job-servers.ts';

const SERVERS: Readonly<Record<string, jobs.JobServer>> = {
  OpenRouter: await jobs.runOpenRouter(),
  'the Videos API': await jobs.runOpenAi(),
};
after(() => Promise.all(Object.values(SERVERS).map((server) => server.stop())));

/** The faults themselves are those of the Gemini API; these tests show that each protocol asks for them. */
const asking = (testPrompt: string) => `A cat [sample: ${testPrompt}]`;

for (const [name, server] of Object.entries(SERVERS)) {
  describe(`test prompts at ${name}`, () => {
    for (const [testPrompt, status, retryAfter] of [
      ['error 401', 401, null],
      ['error 402', 402, null],
      ['error 429 per-day', 429, null],
      ['error 429 retry 3s', 429, '3'],
      ['busy', 429, '2'],
      ['error 503', 503, null],
    ] as const)
      test(`${testPrompt} is ${status} in JSON, with Retry-After ${retryAfter}`, async () => {
        const response = await server.create(asking(testPrompt));
        assert.deepEqual([response.status, response.headers.get('retry-after')], [status, retryAfter]);
        assert.equal(typeof (await jobs.readJson(response)).error.message, 'string');
      });

    test('never done keeps the video in progress, and a poll can fail', async () => {
      const id = await jobs.startJob(server, asking('poll error 503, never done'));
      assert.equal((await server.poll(id)).status, 503);
      for (const _ of [1, 2]) {
        const { status }: jobs.Job = await jobs.readJson(await server.poll(id));
        assert.equal(status, 'in_progress');
      }
    });

    test('file error fails one download, and file redirect leads to another host', async () => {
      const { id } = await jobs.generateJob(server, asking('file error 403, file redirect'));
      assert.equal((await server.content(id)).status, 403);
      const { status, headers } = await server.content(id, { redirect: 'manual' });
      const location = new URL(headers.get('location') ?? '');
      assert.equal(status, 302);
      assert.notEqual(location.host, new URL(server.url).host);
      assert.ok((await (await fetch(location)).arrayBuffer()).byteLength > 1000);
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

    test('every call requires the key', async () => {
      const { id } = await jobs.generateJob(server, 'A cat');
      const paths = [`${server.jobs}/${id}`, `${server.jobs}/${id}/content`];
      for (const path of paths)
        for (const headers of [{}, { authorization: 'Bearer wrong' }])
          assert.equal((await fetch(path, { headers })).status, 401);
      assert.equal((await server.create('A cat', {}, { headers: {} })).status, 401);
    });

    test('an unknown video or path is 404', async () => {
      const unknown = (await jobs.startJob(server, asking('never done'))).replace(/.$/, (last) =>
        last === '0' ? '1' : '0',
      );
      assert.equal((await server.poll(unknown)).status, 404);
      assert.equal((await server.content(unknown)).status, 404);
      assert.equal((await fetch(`${server.url}/unknown`, { headers: jobs.BEARER })).status, 404);
    });
  });
}
