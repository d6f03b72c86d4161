import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as z from 'zod';
import { MODELS } from '../../../../functions/catalogue/domain/models.ts';
import { upstreamModelName } from '../../../../functions/upstream/domain/upstreams.ts';
import { startSampleUpstreams } from '../../../../lib/local/start/sample-upstreams.ts';
import { upstreamList } from '../../../../lib/upstream-schema.ts';

const cacheDir = await mkdtemp(join(tmpdir(), 'sample-upstreams-'));
after(() => rm(cacheDir, { recursive: true, force: true, maxRetries: 5 }));

const start = async (count: number) => {
  const { settings, secret, close } = await startSampleUpstreams({
    count,
    cacheDir,
    portsFile: join(cacheDir, 'ports.json'),
    drafts: true,
    findRole: () => undefined,
  });
  return { upstreams: upstreamList.parse(settings.upstreams), secret, close };
};

describe('the sample generators of npm start', () => {
  test('the only one has its key as the secret, and all models under their own names', async () => {
    const { upstreams, secret, close } = await start(1);
    await close();
    const [only] = upstreams;
    assert.match(secret, /^[0-9a-f]{32}$/);
    assert.deepEqual([upstreams.length, only?.name], [1, 'sample']);
    const models = Object.entries(only?.models ?? {});
    assert.equal(models.length, 3);
    assert.ok(models.every(([ours, theirs]) => ours === theirs));
  });

  test('each accepts its key at its address', async () => {
    const { upstreams, secret, close } = await start(5);
    const credentials = z.record(z.string(), z.unknown()).parse(JSON.parse(secret));
    const PATHS = {
      gemini: '/v1beta/models',
      interactions: '/v1beta/models',
      openrouter: '/key',
      openai: '/v1/models',
      vertex: undefined,
    };
    const checks = upstreams.map(async ({ name, kind, baseUrl }) => {
      const key = String(credentials[name]);
      const headers = { 'x-goog-api-key': key, authorization: `Bearer ${key}` };
      const path = PATHS[kind];
      return path === undefined ? 'no key' : (await fetch(`${baseUrl}${path}`, { headers })).status;
    });
    const statuses = await Promise.all(checks);
    await close();
    const names = ['studio-a', 'openrouter', 'vertex-us', 'openai', 'images'];
    assert.deepEqual([upstreams.map(({ name }) => name), Object.keys(credentials)], [names, names]);
    assert.deepEqual(statuses, [200, 200, 'no key', 200, 200]);
    assert.partialDeepStrictEqual(credentials['vertex-us'], { type: 'external_account' });
  });

  test('have the same addresses at the next start, unless another program has a port by then', async () => {
    const addresses = async (count: number) => {
      const { upstreams, close } = await start(count);
      return { urls: upstreams.map(({ baseUrl }) => baseUrl), close };
    };
    const first = await addresses(3);
    const beside = await addresses(3);
    const shared = first.urls.filter((url) => beside.urls.includes(url));
    assert.deepEqual(shared, []);
    await Promise.all([first.close(), beside.close()]);
    const next = await addresses(3);
    await next.close();
    assert.deepEqual(next.urls, beside.urls);
  });

  test('every model is offered by one of them', async () => {
    const { upstreams, close } = await start(6);
    await close();
    const offered = upstreams.map((upstream) =>
      MODELS.map((model) => upstreamModelName(upstream, model) !== undefined),
    );
    assert.deepEqual(offered, [
      [true, true, false, true],
      [true, true, false, true],
      [true, true, false, false],
      [true, true, false, false],
      [false, false, false, true],
      [false, false, true, false],
    ]);
  });
});
