import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { CreateBucketCommand, GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { uploadStream } from '../../../../functions/videos/adapters/s3-media.ts';
import { type Emulators, startEmulators } from '../../../../lib/local/emulators/start.ts';
import { createClients, optionsFor, temporaryFolder } from '../../../lib/local/emulators/emulated.ts';

let folder: string;
let emulators: Emulators;
let client: S3Client;
before(async () => {
  folder = await temporaryFolder();
  emulators = await startEmulators(optionsFor(folder));
  client = createClients(emulators).s3;
  await client.send(new CreateBucketCommand({ Bucket: 'media' }));
});
after(async () => {
  client.destroy();
  await emulators.close();
  await rm(folder, { recursive: true, force: true });
});

/** Chunks whose length divides no part, so that parts begin and end inside them. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += 700_001)
    yield bytes.subarray(offset, offset + 700_001);
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('an uploaded stream is byte for byte what was sent', () => {
  const PART = 8 * 1024 * 1024;
  for (const length of [0, 1, PART - 1, PART, PART + 1, 2 * PART, 3 * PART, 5 * PART + 12_345])
    test(`at ${length} bytes`, async () => {
      const bytes = randomBytes(length);
      const target = { Bucket: 'media', Key: `videos/${length}.mp4`, ContentType: 'video/mp4' };
      await uploadStream(client, target, inPieces(bytes));
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'media', Key: target.Key }));
      assert.equal(digest((await Body?.transformToByteArray()) ?? new Uint8Array(9)), digest(bytes));
    });
});
