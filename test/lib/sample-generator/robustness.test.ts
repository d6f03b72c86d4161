import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allGone, listChildren } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import * as running from './support/running-generator.ts';
import { jpeg, png, RIPPLES, webp } from './support/test-pictures.ts';

const withImage = (bytes: Buffer) => ({
  instances: [
    { prompt: 'A cat', image: { bytesBase64Encoded: bytes.toString('base64'), mimeType: 'image/png' } },
  ],
  parameters: { durationSeconds: 4 },
});

/** A picture whose header declares this size. */
const claiming = (picture: Buffer, width: number, height: number) => {
  const copy = Buffer.from(picture);
  copy.writeUInt32BE(width, 16);
  copy.writeUInt32BE(height, 20);
  return copy;
};

const generator = await running.runGenerator({ drafts: true });
after(() => generator.stop());
const good = await png(RIPPLES, 64, 64);

describe('bad input fails its own request only', () => {
  const UNREADABLE: readonly (readonly [string, () => Promise<Buffer> | Buffer])[] = [
    ['garbage', () => Buffer.from('this is no picture, but it is long enough to be one')],
    ['nothing but a signature', () => good.subarray(0, 8)],
    ['a PNG header of 30000 × 30000', () => claiming(good, 30_000, 30_000)],
    ['a PNG header of 0 × 10', () => claiming(good, 0, 10)],
    ['a JPEG that ends before its size', async () => (await jpeg(RIPPLES, 64, 64)).subarray(0, 100)],
    ['a WebP that ends before its size', async () => (await webp(RIPPLES, 64, 64)).subarray(0, 24)],
    ['a GIF', () => Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(64)])],
  ];
  for (const [name, picture] of UNREADABLE) {
    test(`${name} is rejected at once with 400, for videos and images`, async () => {
      const bytes = await picture();
      const data = { inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } };
      for (const response of [
        await running.createVideo(generator.url, withImage(bytes)),
        await running.createImage(generator.url, 'A cat', [data]),
      ]) {
        assert.equal(response.status, 400);
        assert.match(await response.text(), /Unable to process input image/);
      }
    });
  }

  test('a picture that cannot be decoded fails the video operation and the image request', async () => {
    const broken = Buffer.from(good);
    broken.fill(0x55, 60);
    const operation = await running.generate(generator.url, withImage(broken));
    assert.equal(operation.error?.code, 3);
    const data = { inlineData: { mimeType: 'image/png', data: broken.toString('base64') } };
    assert.equal((await running.createImage(generator.url, 'A cat', [data])).status, 400);
  });

  test('clients may disconnect while they upload, wait or download', async () => {
    const port = Number(new URL(generator.url).port);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1beta/models/video-x:predictLongRunning HTTP/1.1\r\nhost: x\r\nx-goog-api-key: ${running.KEY['x-goog-api-key']}\r\ncontent-length: 1000\r\n\r\n{`,
    );
    await sleep(50);
    socket.resetAndDestroy();
    const leaving = AbortSignal.timeout(300);
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'A cat [sample: delay 30s]' }] }] });
    await assert.rejects(
      fetch(`${generator.url}/v1beta/models/image-x:generateContent`, {
        method: 'POST',
        headers: running.KEY,
        body,
        signal: leaving,
      }),
    );
    const [uri = ''] = running.sampleUris(
      await running.generate(generator.url, running.textBody('A cat [sample: size 500MB]')),
    );
    const download = await fetch(uri, { headers: running.KEY });
    await download.body?.cancel();
    assert.equal((await running.createVideo(generator.url, running.textBody('A cat'))).status, 200);
  });

  test('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal);
    if (outside === undefined) return;
    await assert.rejects(
      fetch(generator.url.replace('127.0.0.1', outside.address), { headers: running.KEY }),
    );
  });
});

test('the renderer exits when the server is killed', { skip: process.platform !== 'linux' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alone-'));
  const options = ['--port', '0', '--api-key', running.KEY['x-goog-api-key'], '--cache-dir', folder];
  const server = spawn(process.execPath, ['bin/sample-generator.ts', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [line] = await once(server.stdout, 'data');
  const url = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? '';
  await running.createVideo(url, running.textBody('Left alone', { durationSeconds: 8, resolution: '4k' }));
  await until(async () => (await listChildren(server.pid)).length > 0);
  const renderers = await listChildren(server.pid);
  server.kill('SIGKILL');
  await allGone(renderers);
});
