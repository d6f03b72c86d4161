import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const LOCAL = resolve(import.meta.dirname, '..', '..', 'bin', 'local.ts');

/** Starts nothing: the settings are checked first. */
const rejected = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const env = { PATH: process.env.PATH, ...settings };
  const failure: unknown = await promisify(execFile)(process.execPath, [LOCAL], { env }).then(
    () => assert.fail('it has started'),
    (error: unknown) => error,
  );
  assert.equal(Object(failure).code, 1);
  return Object(failure).stderr;
};

describe('npm start with a real upstream', () => {
  for (const [title, settings, message] of [
    [
      'without its key',
      { MEDIA_GENERATION_UPSTREAM: 'openrouter' },
      'MEDIA_GENERATION_UPSTREAM requires MEDIA_GENERATION_UPSTREAM_SECRET: the API key of the upstream, or a JSON object with the credential of each upstream under its name.\n',
    ],
    [
      'of which only the key is known',
      { MEDIA_GENERATION_UPSTREAM_SECRET: 'key' },
      'MEDIA_GENERATION_UPSTREAM_SECRET requires MEDIA_GENERATION_UPSTREAM, such as openrouter.\n',
    ],
  ] as const)
    test(`is rejected in one sentence ${title}`, async () => assert.equal(await rejected(settings), message));
});
