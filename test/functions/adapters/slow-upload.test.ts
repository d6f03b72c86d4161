import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESPONSE_TIMEOUT } from '../../../functions/adapters/aws-clients.ts';
import { s3Client, s3Media } from '../../../functions/adapters/s3-media.ts';
import { slowReader, startQuietServer } from './quiet-server.ts';

const BYTES = 24_000_000;

test('an upload that takes longer than an answer may is not cut off while its bytes move', async () => {
  const server = await startQuietServer(slowReader);
  try {
    const started = performance.now();
    const image = { bytes: new Uint8Array(BYTES), mimeType: 'image/png' } as const;
    await s3Media(s3Client(), 'media').putInput('inputs/1', image);
    assert.ok(performance.now() - started > RESPONSE_TIMEOUT);
    assert.equal(server.calls.length, 1);
  } finally {
    await server.close();
  }
});
