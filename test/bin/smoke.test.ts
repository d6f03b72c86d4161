import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { runSmoke, type Surroundings } from '../../lib/smoke/run.ts';
import { openSharedService } from '../support/open-service.ts';
import { startStub } from './smoke-stub.ts';

const COMMAND = resolve(import.meta.dirname, '..', '..', 'bin', 'smoke.ts');

type Ended = { readonly code: number; readonly output: string; readonly errors: string };

/** Runs the command, and interrupts it once it has printed the given text. */
const spawnSmoke = async (args: readonly string[], interruptAt?: string): Promise<Ended> => {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  let awaited = interruptAt;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (awaited === undefined || !output.includes(awaited)) return;
    awaited = undefined;
    child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number>((ended) => child.once('close', (status) => ended(status ?? -1)));
  return { code, output, errors };
};

/** What the command does, in this process. */
const smoke = async (args: readonly string[], ask?: Surroundings['ask']): Promise<Ended> => {
  let [output, errors] = ['', ''];
  const code = await runSmoke(args, {
    environment: {},
    print: (line) => {
      output += `${line}\n`;
    },
    printError: (line) => {
      errors += `${line}\n`;
    },
    ask,
    interrupted: new AbortController().signal,
  });
  return { code, output, errors };
};

const service = await openSharedService();

describe('the smoke test against the service', () => {
  test('reports a wrong key in one sentence', async () => {
    const { code, output, errors } = await smoke(['--base-url', service.baseUrl, '--api-key', 'mgk_wrong']);
    assert.deepEqual([code, output], [1, '']);
    assert.equal(errors, `The service at ${service.baseUrl} does not accept this key.\n`);
  });
});

describe('the smoke test against a broken service', () => {
  test('prints expected and actual result of each check in one line, without the key', async () => {
    await using stub = await startStub('refuses');
    const { code, output } = await smoke(['--base-url', stub.url, '--api-key', 'secret-key', '--long']);
    assert.equal(code, 1);
    assert.match(output, /will generate 32 seconds of video and 4 images/);
    const line = (name: string): string => output.split('\n').find((text) => text.includes(name)) ?? '';
    assert.match(
      line('answers an unknown route with 404'),
      /^FAILED .* expected 404 not_found, saw 403 "not a valid key=value pair: \[key\] at http:\/\/x\/y\?\[signature\]" \(request id req-\d+\)$/,
    );
    assert.match(
      line('rejects a form of 6 MB'),
      /expected 413 request_too_large, saw 403 .*\(request id req-\d+\)/,
    );
    assert.match(line('serves its OpenAPI'), /expected 200, saw 403/);
    assert.match(line('generates a video from a first frame'), /^not run .* an earlier check failed$/);
    assert.match(output, /^0 of 29 checks passed in \d+ s$/m);
    assert.ok(!output.includes('secret-key'));
  });

  test('fails every check if streams lose their status and headers', async () => {
    await using stub = await startStub('empty');
    const { code, output } = await smoke(['--base-url', stub.url, '--api-key', 'secret-key']);
    assert.equal(code, 1);
    assert.match(output, /^0 of 27 checks passed in \d+ s$/m);
    assert.match(output, /^FAILED +serves the console .* expected 302, saw 200 \(request id none\)$/m);
    assert.match(output, /^FAILED +answers HEAD .* expected 302, saw 200 \(request id none\)$/m);
  });

  test('reports a service with other models in one sentence', async () => {
    await using stub = await startStub('unlike');
    const { code, output, errors } = await smoke(['--base-url', stub.url, '--api-key', 'secret-key']);
    assert.deepEqual([code, output], [1, '']);
    assert.equal(
      errors,
      `${stub.url} does not answer like the service: GET /v1/models lists none of its models.\n`,
    );
  });

  test('says how many requests were retried because the account had no execution left', async () => {
    await using stub = await startStub('throttled');
    const { output } = await smoke(['--base-url', stub.url, '--api-key', 'secret-key']);
    const sentence =
      "1 request was retried because the account's concurrent executions were used up; see the setting lambdaConcurrencyQuota.";
    assert.deepEqual(output.trim().split('\n').slice(-1), [sentence]);
  });

  test('deletes its tasks when it is interrupted', async () => {
    await using stub = await startStub('never ends');
    const args = ['--base-url', stub.url, '--api-key', 'secret-key'];
    const { code, output } = await spawnSmoke(args, 'creates a video from text');
    assert.equal(code, 1);
    assert.match(output, /^FAILED +completes the video .* interrupted$/m);
    assert.ok(stub.created().length > 0);
    assert.deepEqual(stub.deleted().toSorted(), stub.created().toSorted());
  });
});

describe('the options of the smoke test', () => {
  const [URL_OPTION, KEY_OPTION] = [
    ['--base-url', 'https://api.example.invalid/prod'],
    ['--api-key', 'k'],
  ] as const;
  const WRONG = [
    ['no base URL', [...KEY_OPTION], /^--base-url is missing; --help lists the options\.$/],
    [
      'a base URL that is not HTTP',
      ['--base-url', 'ftp://x', ...KEY_OPTION],
      /^--base-url must be an http or https/,
    ],
    ['no key', [...URL_OPTION], /^--api-key is missing/],
    [
      'an origin with a path',
      [...URL_OPTION, ...KEY_OPTION, '--origin', 'https://app.example.com/'],
      /^--origin must be a scheme and a host/,
    ],
    ['an unknown option', [...URL_OPTION, ...KEY_OPTION, '--colour'], /--colour.*; --help lists/],
  ] as const;
  for (const [problem, args, sentence] of WRONG)
    test(`are rejected in one sentence with ${problem}`, async () => {
      const { code, output, errors } = await smoke(args);
      assert.deepEqual([code, output, errors.trim().split('\n').length], [2, '', 1]);
      assert.match(errors.trim(), sentence);
    });

  test('report a service that cannot be reached', async () => {
    const stub = await startStub('refuses');
    await stub[Symbol.asyncDispose]();
    const { code, errors } = await smoke(['--base-url', stub.url, ...KEY_OPTION]);
    assert.deepEqual([code, errors], [1, `${stub.url} cannot be reached: ECONNREFUSED.\n`]);
  });
});

describe('the smoke test of a remote service', () => {
  const run = async (ask: Surroundings['ask'], ...more: readonly string[]) => {
    await using stub = await startStub('refuses');
    // 0.0.0.0 reaches this machine, but is not recognized as local.
    const elsewhere = stub.url.replace('127.0.0.1', '0.0.0.0');
    return await smoke(['--base-url', elsewhere, '--api-key', 'secret-key', ...more], ask);
  };

  test('starts only after confirmation, and skips the preflight of an allowed origin without --origin', async () => {
    const refused = await run(async () => 'no');
    assert.equal(refused.code, 1);
    assert.match(refused.output, /^[^\n]* will generate 24 seconds of video and 4 images[^\n]*\n$/);
    const { output } = await run(async () => 'y');
    assert.match(output, /0 of 26 checks passed/);
    assert.match(output, /^skipped .*allowed origin: set --origin to an origin of allowedOrigins$/m);
  });

  test('requires --yes without a terminal, and skips checks that need the sample generator', async () => {
    const { code, errors } = await run(undefined);
    assert.equal(code, 2);
    assert.match(errors, /^[^\n]*--yes[^\n]*\n$/);
    const { output } = await run(undefined, '--yes', '--long', '--origin', 'https://app.example.com');
    assert.match(output, /^FAILED +answers the preflight of an allowed origin/m);
    assert.match(output, /^skipped .*two minutes: requires the sample generator$/m);
    assert.match(output, /will generate 24 seconds/);
    assert.match(output, /0 of 27 checks passed/);
    const sample = await run(async () => 'no', '--long', '--sample-generator');
    assert.match(sample.output, /will generate 32 seconds/);
  });
});
