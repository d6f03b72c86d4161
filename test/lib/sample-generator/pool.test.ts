import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSamplePool } from '../../../lib/sample-generator/server.ts';
import { vertexAt } from '../../functions/upstream/adapters/sample-vertex.ts';
import { routerBody, toForm } from './support/job-servers.ts';
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
  openrouter: [{ name: 'router', apiKey }],
  openai: [{ name: 'gateway', apiKey, limits: { submitsPerMinute: 0 } }],
});
after(async () => {
  await pool.close();
  await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 });
});
const [rateLimited = assert.fail(), blocked = assert.fail()] = pool.gemini;
const authorization = `Bearer ${apiKey}`;
const createRouted = (url: string | undefined, prompt: string) => {
  const body = JSON.stringify(routerBody(prompt));
  return fetch(`${url}/api/v1/videos`, { method: 'POST', headers: { authorization }, body });
};
const createInForm = (url: string | undefined, prompt: string) => {
  const body = toForm({ model: 'video-x', prompt });
  return fetch(`${url}/v1/videos`, { method: 'POST', headers: { authorization }, body });
};
const NEVER_DONE = textBody('A cat [sample: never done]');

test('a pool has upstreams of all kinds, each with its own name and limits', async () => {
  const {
    gemini,
    vertex: [vertex = assert.fail()],
    openrouter,
    openai,
  } = pool;
  const names = [...gemini, vertex, ...openrouter, ...openai].map(({ name }) => name);
  assert.deepEqual(names, ['studio-a', 'studio-b', 'vertex-us', 'router', 'gateway']);
  const statuses = [
    (await createVideo(rateLimited.url, NEVER_DONE)).status,
    (await createVideo(rateLimited.url, NEVER_DONE)).status,
    (await createVideo(blocked.url, NEVER_DONE)).status,
    (await createRouted(openrouter[0]?.url, 'A cat [sample: on=router never done]')).status,
    (await createInForm(openai[0]?.url, 'A cat [sample: never done]')).status,
  ];
  assert.deepEqual(statuses, [200, 429, 403, 202, 429]);
  await vertexAt(vertex.url, vertex.identity.createServiceAccount()).verify();
});

test('an upstream knows only its own operations, although they share a folder', async () => {
  rateLimited.limit({});
  blocked.limit({});
  const { name } = JSON.parse(await (await createVideo(rateLimited.url, NEVER_DONE)).text());
  const statuses = [rateLimited, blocked].map(async ({ url }) => (await poll(url, name)).status);
  assert.deepEqual(await Promise.all(statuses), [200, 404]);
});

test('a pool may have upstreams of one kind only', async () => {
  const small = await startSamplePool({ cacheDir, drafts: true, openai: [{ name: 'only', apiKey }] });
  assert.deepEqual([small.gemini, small.vertex, small.openrouter], [[], [], []]);
  assert.equal((await createInForm(small.openai[0]?.url, 'A cat [sample: never done]')).status, 200);
  await small.close();
});
