import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { hasCredentialsBox, readDuration, readSize } from '../../support/mp4.ts';
import { boxes, readFilm } from './support/media.ts';
import * as running from './support/running-generator.ts';

const asking = (testPrompt: string, parameters: object = {}) =>
  running.textBody(`A cat [sample: ${testPrompt}]`, { ...parameters });
const SOON = () => AbortSignal.timeout(700);

const generator = await running.runGenerator({ drafts: true });
after(() => generator.stop());

describe('test prompts for videos', () => {
  let seed = 0;
  // A unique seed makes the request distinct; failing requests are never rendered.
  const once = (testPrompt: string) => {
    seed += 1;
    return asking(testPrompt, { seed });
  };
  const start = async (testPrompt: string): Promise<string> => {
    const operation: running.OperationBody = JSON.parse(
      await (await running.createVideo(generator.url, asking(testPrompt))).text(),
    );
    return operation.name;
  };
  const createFile = async (testPrompt: string) => {
    const [uri = ''] = running.sampleUris(await running.generate(generator.url, asking(testPrompt)));
    return (signal?: AbortSignal) => fetch(uri, { headers: running.KEY, ...(signal && { signal }) });
  };
  const length = async (response: Response) => (await response.arrayBuffer()).byteLength;

  const REFUSALS = [
    ['error 400', 400, /"INVALID_ARGUMENT"/],
    ['error 402', 402, /depleted/],
    ['error 403', 403, /"PERMISSION_DENIED"/],
    ['error 429 per-day', 429, /PerDay/],
    ['error 500 always', 500, /"INTERNAL"/],
    ['error 503 always', 503, /^<!DOCTYPE html>/],
  ] as const;
  for (const [testPrompt, status, body] of REFUSALS) {
    test(`${testPrompt} fails every time`, async () => {
      const request = once(testPrompt);
      for (const _ of [1, 2, 3]) {
        const response = await running.createVideo(generator.url, request);
        assert.equal(response.status, status);
        assert.match(await response.text(), body);
      }
    });
  }

  for (const [testPrompt, statuses] of [
    ['error 429', [429, 200, 429]],
    ['error 503 times 2', [503, 503, 200, 503]],
    ['error 504, error 500', [504, 500, 200, 504]],
  ] as const) {
    test(`${testPrompt} is transient, and fails again when it is used again`, async () => {
      const request = once(`${testPrompt}, never done`);
      const seen: number[] = [];
      for (const _ of statuses) seen.push((await running.createVideo(generator.url, request)).status);
      assert.deepEqual(seen, statuses);
    });
  }

  test('error 429: RetryInfo has the delay of the test prompt, or the default', async () => {
    const details = async (testPrompt: string) =>
      (await running.createVideo(generator.url, once(testPrompt))).text();
    assert.match(await details('error 429 retry 3s'), /"retryDelay":"3s"/);
    assert.match(await details('error 429'), /"retryDelay":"2s"/);
    assert.doesNotMatch(await details('error 429 per-day'), /retryDelay/);
  });

  test('reset resets the connection once, then the request succeeds', async () => {
    const request = once('reset, never done');
    await assert.rejects(running.createVideo(generator.url, request));
    assert.equal((await running.createVideo(generator.url, request)).status, 200);
  });

  test('delay and slow start postpone the result', async () => {
    const name = await start('slow start 0.2s, delay 2s, done without video');
    assert.deepEqual(JSON.parse(await (await running.poll(generator.url, name)).text()), { name });
    assert.equal((await running.finish(generator.url, name)).done, true);
  });

  const ENDINGS = [
    ['filtered', { response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } }],
    ['done with error 13', { error: { code: 13 } }],
    ['done with error 8', { error: { code: 8 } }],
    ['done without video', { response: { generateVideoResponse: {} } }],
  ] as const;
  for (const [testPrompt, ending] of ENDINGS) {
    test(`${testPrompt} ends the operation accordingly`, async () => {
      const operation = await running.generate(generator.url, asking(testPrompt));
      assert.partialDeepStrictEqual(operation, { done: true, ...ending });
      assert.deepEqual(running.sampleUris(operation), []);
    });
  }

  test('never done keeps the operation pending', async () => {
    const name = await start('never done');
    for (const _ of [1, 2, 3])
      assert.deepEqual(JSON.parse(await (await running.poll(generator.url, name)).text()), { name });
  });

  test('poll error and poll reset fail one poll each', async () => {
    const name = await start('poll error 503, poll reset, never done');
    assert.equal((await running.poll(generator.url, name)).status, 503);
    await assert.rejects(running.poll(generator.url, name));
    assert.equal((await running.poll(generator.url, name)).status, 200);
  });

  test('samples 2 returns two different videos', async () => {
    const uris = running.sampleUris(await running.generate(generator.url, asking('samples 2')));
    assert.equal(uris.length, 2);
    const films = await Promise.all(
      uris.map(async (uri) => Buffer.from(await (await fetch(uri, { headers: running.KEY })).arrayBuffer())),
    );
    assert.ok(films[0]?.subarray(4, 8).equals(Buffer.from('ftyp')) && !films[0].equals(films[1] ?? films[0]));
  });

  test('inline video returns the video in the operation', async () => {
    const { response } = await running.generate(generator.url, asking('inline video'));
    const [sample] = response?.generateVideoResponse.generatedSamples ?? [];
    assert.partialDeepStrictEqual(sample, { video: { encoding: 'video/mp4' } });
    const film = Buffer.from(sample?.video.encodedVideo ?? '', 'base64');
    assert.deepEqual(boxes(film).toSorted(), ['free', 'ftyp', 'mdat', 'moov']);
  });

  test('file error, reset and hang fail one download each', async () => {
    const download = await createFile('file error 403, file reset, file hang');
    assert.equal((await download()).status, 403);
    await assert.rejects(download());
    await assert.rejects(download(SOON()), { name: 'TimeoutError' });
    assert.equal((await download()).status, 200);
  });

  test('file truncated sends half the file, then the whole', async () => {
    const download = await createFile('file truncated');
    await assert.rejects(length(await download()));
    const whole = await download();
    assert.equal(await length(whole), Number(whole.headers.get('content-length')));
  });

  test('file not mp4 returns a web page', async () => {
    const response = await (await createFile('file not mp4'))();
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^<!DOCTYPE html>/);
  });

  test('file redirect leads to another host, which records whether it saw the key', async () => {
    const [uri = ''] = running.sampleUris(await running.generate(generator.url, asking('file redirect')));
    const { status, headers } = await fetch(uri, { headers: running.KEY, redirect: 'manual' });
    const location = new URL(headers.get('location') ?? '');
    assert.equal(status, 302);
    assert.notEqual(location.host, new URL(uri).host);
    assert.ok((await length(await fetch(location))) > 10_000);
    assert.ok((await length(await fetch(location, { headers: running.KEY }))) > 10_000);
    const seen = generator.requests().filter(({ host }) => host === 'foreign');
    const withKey = seen.map((request) => 'x-goog-api-key' in request.headers);
    assert.deepEqual(withKey, [false, true]);
  });

  test('by default, the redirect stays on the host and requires the key', async () => {
    const [uri = ''] = running.sampleUris(await running.generate(generator.url, running.textBody('A cat')));
    const { headers } = await fetch(uri, { headers: running.KEY, redirect: 'manual' });
    const location = headers.get('location') ?? '';
    assert.equal(new URL(location).host, new URL(uri).host);
    assert.equal((await fetch(location)).status, 403);
    assert.equal((await fetch(location, { headers: running.KEY })).status, 200);
  });

  test('size 2MB returns a playable file of exactly that size', async () => {
    const film = Buffer.from(await (await (await createFile('size 2MB'))()).arrayBuffer());
    assert.equal(film.length, 2_000_000);
    assert.equal(boxes(film).at(-1), 'free');
    const path = join(generator.cacheDir, 'padded.mp4');
    await writeFile(path, film);
    assert.equal((await readFilm(path)).frames, 4);
    assert.equal((await readFile(path)).length, film.length);
  });

  test('credentials adds a box with content credentials, also to a padded file, which stays playable', async () => {
    const read = async (testPrompt: string) =>
      Buffer.from(await (await (await createFile(testPrompt))()).arrayBuffer());
    const [plain, signed, padded] = [
      await read('delay 0s'),
      await read('credentials'),
      await read('credentials, size 2MB'),
    ];
    assert.deepEqual([plain, signed, padded].map(hasCredentialsBox), [false, true, true]);
    assert.deepEqual(boxes(signed), [...boxes(plain), 'uuid']);
    assert.ok(padded.subarray(0, signed.length).equals(signed));
    assert.equal(padded.length, 2_000_000);
    const path = join(generator.cacheDir, 'signed.mp4');
    await writeFile(path, signed);
    assert.equal((await readFilm(path)).frames, 4);
  });

  for (const [testPrompt, parameters, size, seconds] of [
    ['deliver 720p', { durationSeconds: 8, resolution: '1080p', aspectRatio: '9:16' }, '720x1280', 8],
    ['deliver 4k, deliver 2s', {}, '3840x2160', 2],
  ] as const)
    test(`${testPrompt} gives a video of ${size} and ${seconds} seconds`, async () => {
      const [uri = ''] = running.sampleUris(
        await running.generate(generator.url, asking(testPrompt, parameters)),
      );
      const film = Buffer.from(await (await fetch(uri, { headers: running.KEY })).arrayBuffer());
      assert.deepEqual([readSize(film), readDuration(film)], [size, seconds]);
    });
});
