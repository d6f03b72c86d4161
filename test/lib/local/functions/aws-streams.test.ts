/** Compares the bytes that AWS's runtime client and the local runtime send for the same handlers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildRuntime } from '../../../../lib/local/functions/function-process.ts';
import { type Streamed, streamOnAws } from '../../../support/aws-runtime-client.ts';
import { streamLocally } from '../../../support/local-runtime.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { STREAMS } from '../fixture/functions/streams.ts';

type Expected = {
  readonly sent: string | RegExp;
  readonly outcome: Streamed['outcome'];
  readonly error?: string;
};

const HEAD = '{"statusCode":201,"headers":{"x-own":"ü"},"cookies":["a=1"]}\0\0\0\0\0\0\0\0';
const ok = (sent: Expected['sent']): Expected => ({ sent, outcome: 'ok' });
const error = (sent: string, text: string): Expected => ({ sent, outcome: 'error', error: text });
const crash = (sent: string): Expected => ({ sent, outcome: 'crash' });

const TOO_LATE = 'Runtime.InvalidStreamingOperation: Cannot set content-type, too late.';

const EXPECTED: Readonly<Record<keyof typeof STREAMS, Expected>> = {
  'ends without a write': ok(''),
  'ends with a chunk and without a write': ok('only'),
  'writes an empty string': ok(HEAD),
  'writes many chunks': ok(`${HEAD}onetwo3`),
  'writes more than the stream holds': ok(
    HEAD + Array.from({ length: 20 }, (_, part) => String.fromCharCode(65 + part).repeat(100_000)).join(''),
  ),
  'writes values': ok(`${HEAD}{"fox":1}[2]3`),
  'writes null': error('', "TypeError: Cannot read properties of null (reading 'length')"),
  'writes without a status': ok('bare'),
  'sets the content type late': error(`${HEAD}one`, TOO_LATE),
  'sets the status late': error('one', TOO_LATE),
  'pipes nothing': ok(''),
  'pipes a source that fails later': crash(`${HEAD}one`),
  'throws before the first write': error('', 'TypeError: too early'),
  'throws after a write': error(`${HEAD}one`, 'TypeError: too late'),
  'throws after the end': ok(`${HEAD}one`),
  'writes after the end': ok(`${HEAD}one`),
  'writes at once after the end': crash(`${HEAD}one`),
  'destroys the stream with an error': crash(`${HEAD}one`),
  'returns before the end': ok(`${HEAD}one`),
  'never ends the stream': { sent: `${HEAD}one`, outcome: 'unfinished' },
  'leaves a rejection unhandled': crash(`${HEAD}one`),
  'is not async': error(`${HEAD}one`, 'Error: Streaming does not support non-async handlers.'),
  'shows its stream': ok(/"highWaterMark":65536\}$/),
};

const folder = await temporaryFolder('aws-streams');

describe('a streamed handler that', () => {
  const runtimeFile = join(folder, 'runtime.mjs');
  const bundle = join(folder, 'bundle');
  let onAws: readonly Streamed[] = [];
  let here: readonly Streamed[] = [];
  before(async () => {
    await buildRuntime(runtimeFile);
    await build({
      entryPoints: [fileURLToPath(new URL('../fixture/functions/streams.ts', import.meta.url))],
      outfile: join(bundle, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    // A process handles one event after another until one ends it, as on Lambda.
    const events = Object.keys(EXPECTED).map((name) => ({ name }));
    [onAws, here] = await Promise.all([
      streamOnAws({ bundle }, events),
      streamLocally(runtimeFile, { bundle }, events),
    ]);
  });

  for (const [index, [name, expected]] of Object.entries(EXPECTED).entries())
    test(`${name} sends the same on AWS's runtime client and here`, () => {
      const [aws, local] = [onAws[index] ?? assert.fail(), here[index] ?? assert.fail()];
      assert.deepEqual({ ...local, bytes: local.bytes.toString() }, { ...aws, bytes: aws.bytes.toString() });
      assert.equal(aws.outcome, expected.outcome);
      assert.equal(aws.error && `${aws.error.errorType}: ${aws.error.errorMessage}`, expected.error);
      if (expected.sent instanceof RegExp) assert.match(aws.bytes.toString(), expected.sent);
      else assert.equal(aws.bytes.toString(), expected.sent);
    });
});
