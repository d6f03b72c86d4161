import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { until } from '../../support/until.ts';
import { BEARER, routerBody, toForm } from './support/job-servers.ts';
import { API_KEY } from './support/running-generator.ts';

const folder = await mkdtemp(join(tmpdir(), 'command-'));
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const command = (...args: readonly string[]) => [
  resolve('bin/sample-generator.ts'),
  ...['--port', '0', '--api-key', API_KEY],
  ...args,
];

/** Runs the command until it has printed its address, and then the work. */
const running = async (args: readonly string[], work: (url: string, line: string) => Promise<void>) => {
  const child = spawn(process.execPath, command(...args), {
    // Its default folder is relative.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = String((await once(child.stdout, 'data'))[0]);
    await work(/http:\/\/[\d.:]+/.exec(line)?.[0] ?? '', line);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
};

const NEVER_DONE = 'A cat [sample: never done]';
const post = async (url: string, body: FormData | string) =>
  (await fetch(url, { method: 'POST', headers: BEARER, body })).status;

/** The smallest video of all models. */
const SMALLEST = {
  model: 'gemini-omni-flash-preview',
  input: [{ type: 'text', text: 'A cat' }],
  response_format: {
    type: 'video',
    delivery: 'uri',
    aspect_ratio: '16:9',
    resolution: '360p',
    duration: '3s',
  },
  background: true,
};

describe('npm run sample-generator', { concurrency: true }, () => {
  test('makes a video in its default folder', () =>
    running(['--generation-seconds', '0'], async (url) => {
      const interactions = `${url}/v1beta/interactions`;
      const headers = { 'x-goog-api-key': API_KEY };
      const created = await fetch(interactions, { method: 'POST', headers, body: JSON.stringify(SMALLEST) });
      const { id } = JSON.parse(await created.text());
      let video: Record<string, unknown> = {};
      await until(async () => {
        video = JSON.parse(await (await fetch(`${interactions}/${id}`, { headers })).text());
        return video.status !== 'in_progress';
      });
      assert.equal(video.status, 'completed', JSON.stringify(video));
    }));

  test('--kind openrouter speaks the protocol of OpenRouter', () =>
    running(['--kind', 'openrouter'], async (url, line) => {
      assert.match(line, /Authorization: Bearer test-key; paths begin with \/api\/v1/);
      assert.equal(await post(`${url}/api/v1/videos`, JSON.stringify(routerBody(NEVER_DONE))), 202);
    }));

  test('--kind openai speaks the Videos API with the given options', () =>
    running(['--kind', 'openai', '--options', 'metadata'], async (url) => {
      const create = (metadata: string) =>
        post(`${url}/v1/videos`, toForm({ model: 'video-x', prompt: NEVER_DONE, metadata }));
      assert.equal(await create('{}'), 200);
      assert.equal(await create('no JSON'), 400);
    }));

  test('--kind vertex writes the key of a service account', () =>
    running(['--kind', 'vertex'], async (url, line) => {
      const [, file = ''] = /the credential is in (.*)/.exec(line) ?? [];
      assert.equal(JSON.parse(await readFile(join(folder, file), 'utf8')).token_uri, `${url}/token`);
    }));
});
