import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { BEARER, routerBody, toForm } from './support/job-servers.ts';
import { API_KEY } from './support/running-generator.ts';

const folder = await mkdtemp(join(tmpdir(), 'command-'));
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const command = (...args: readonly string[]) => [
  'bin/sample-generator.ts',
  ...['--port', '0', '--api-key', API_KEY, '--cache-dir', folder],
  ...args,
];

/** Runs the command until it has printed its address, and then the work. */
const running = async (args: readonly string[], work: (url: string, line: string) => Promise<void>) => {
  const child = spawn(process.execPath, command(...args), { stdio: ['ignore', 'pipe', 'inherit'] });
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

describe('npm run sample-generator', { concurrency: true }, () => {
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
      assert.equal(JSON.parse(await readFile(file, 'utf8')).token_uri, `${url}/token`);
    }));

  for (const [args, message] of [
    [['--kind', 'sora'], '--kind must be one of gemini, vertex, openrouter, openai.\n'],
    [
      ['--kind', 'openai', '--options', 'all'],
      '--options must be one of none, metadata, top-level, media-generation.\n',
    ],
  ] as const)
    test(`rejects ${args.join(' ')}`, () =>
      assert.rejects(promisify(execFile)(process.execPath, command(...args)), { code: 1, stderr: message }));
});
