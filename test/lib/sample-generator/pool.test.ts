import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSamplePool } from '../../../lib/sample-generator/server.ts';
import { vertexAt } from '../../functions/upstream/adapters/sample-vertex.ts';
import { createVideo, KEY, poll, textBody } from './support/running-generator.ts';

const cacheDir = await mkdtemp(join(tmpdir(), 'sample-pool-'));
const [apiKey = ''] = Object.values(KEY);
const pool = await startSamplePool({
  cacheDir,
  drafts: true,
  gemini: [
    { name: 'studio-a', apiKey, limits: { submitsPerMinute: 1 } },
    { name: 'studio-b', apiKey, limits: { blocked: true } },
  ],
  vertex: [{ name: 'vertex-us', project: 'acme', location: 'us-central1' }],
});
after(async () => {
  await pool.close();
  await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 });
});
const [rateLimited = assert.fail(), blocked = assert.fail()] = pool.gemini;
const NEVER_DONE = textBody('A cat [sample: never done]');

test('a pool has upstreams of both kinds, each with its own limits', async () => {
  const statuses = [
    (await createVideo(rateLimited.url, NEVER_DONE)).status,
    (await createVideo(rateLimited.url, NEVER_DONE)).status,
    (await createVideo(blocked.url, NEVER_DONE)).status,
  ];
  assert.deepEqual(statuses, [200, 429, 403]);
  const [vertex = assert.fail()] = pool.vertex;
  await vertexAt(vertex.url, vertex.identity.createServiceAccount()).verify();
});

test('an upstream knows only its own operations, although they share a folder', async () => {
  rateLimited.limit({});
  blocked.limit({});
  const { name } = JSON.parse(await (await createVideo(rateLimited.url, NEVER_DONE)).text());
  const statuses = [rateLimited, blocked].map(async ({ url }) => (await poll(url, name)).status);
  assert.deepEqual(await Promise.all(statuses), [200, 404]);
});
