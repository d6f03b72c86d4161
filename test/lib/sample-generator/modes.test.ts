import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GenerateVideosParameters, GoogleGenAI, VideoGenerationReferenceType } from 'google-genai-2';
import { boxes, difference, loudness, readFilm, readImage } from './support/media.ts';
import { API_KEY, runGenerator, VIDEO_MODEL } from './support/running-generator.ts';
import { jpeg, png, RIPPLES, SUNRISE, webp } from './support/test-pictures.ts';

const SMALL_ERROR = 3;
const CLEARLY_OTHER = 12;

const generator = await runGenerator();
const drafts = await runGenerator({ drafts: true });
after(() => Promise.all([generator.stop(), drafts.stop()]));

describe("the vendor's SDK creates a video in each mode", () => {
  const film = async (
    name: string,
    request: Omit<GenerateVideosParameters, 'model'>,
    { url, cacheDir } = generator,
  ): Promise<string> => {
    const client = new GoogleGenAI({ apiKey: API_KEY, httpOptions: { baseUrl: url } });
    let operation = await client.models.generateVideos({ model: VIDEO_MODEL, ...request });
    while (operation.done !== true) {
      await sleep(100);
      operation = await client.operations.getVideosOperation({ operation });
    }
    const uri = operation.response?.generatedVideos?.[0]?.video?.uri ?? '';
    const downloadPath = join(cacheDir, `${name}.mp4`);
    // Over plain HTTP, the SDK takes the file id, not its URL.
    const id = /files\/[a-z0-9]{12}/.exec(uri)?.[0] ?? '';
    await client.files.download({ file: { name: id, uri: id }, downloadPath });
    return downloadPath;
  };
  const image = (bytes: Buffer, mimeType: string) => ({ imageBytes: bytes.toString('base64'), mimeType });

  test('text: exact length, sound, motion, and the index first', async () => {
    const path = await film('text', { source: { prompt: 'Waves' }, config: { durationSeconds: 4 } });
    const { shots, ...facts } = await readFilm(path, [0, -1]);
    assert.deepEqual(facts, { codecs: ['video', 'audio'], seconds: 4, frames: 96, framesPerSecond: 24 });
    assert.deepEqual([shots[0]?.width, shots[0]?.height], [1280, 720]);
    assert.ok(difference(shots[0], shots[1]) > SMALL_ERROR);
    const volume = await loudness(path);
    assert.ok(volume > 0.005 && volume < 0.2, `${volume}`);
    const names = boxes(await readFile(path));
    assert.ok(names.indexOf('moov') > 0 && names.indexOf('moov') < names.indexOf('mdat'), `${names}`);
  });

  test('first frame: the video starts with the picture and then changes', async () => {
    const picture = await png(RIPPLES, 720, 1280);
    const source = { prompt: 'Ripples', image: image(picture, 'image/png') };
    const request = { source, config: { durationSeconds: 6, aspectRatio: '9:16' } };
    const path = await film('first', request, drafts);
    const { shots, ...facts } = await readFilm(path, [0, -1]);
    assert.deepEqual(facts, { codecs: ['video', 'audio'], seconds: 6, frames: 6, framesPerSecond: 1 });
    const original = await readImage(picture);
    assert.ok(difference(original, shots[0]) < SMALL_ERROR, `${difference(original, shots[0])}`);
    assert.ok(difference(original, shots[1]) > SMALL_ERROR, `${difference(original, shots[1])}`);
  });

  test('first and last frame: the video starts and ends with the pictures', async () => {
    const [first, last] = [await jpeg(SUNRISE, 1280, 720), await webp(RIPPLES, 1280, 720)];
    const request = {
      source: { prompt: 'From dawn to water', image: image(first, 'image/jpeg') },
      config: { durationSeconds: 8, lastFrame: image(last, 'image/webp') },
    };
    const { shots, frames, seconds } = await readFilm(await film('first-last', request, drafts), [0, 4, -1]);
    assert.deepEqual([frames, seconds], [8, 8]);
    const [sunrise, ripples] = [await readImage(first), await readImage(last)];
    assert.ok(difference(sunrise, shots[0]) < SMALL_ERROR, `${difference(sunrise, shots[0])}`);
    assert.ok(difference(ripples, shots[2]) < SMALL_ERROR, `${difference(ripples, shots[2])}`);
    assert.ok(difference(sunrise, shots[1]) > CLEARLY_OTHER && difference(ripples, shots[1]) > CLEARLY_OTHER);
  });

  test('references: every picture appears', async () => {
    const pictures = [
      await png(SUNRISE, 300, 300),
      await jpeg(RIPPLES, 400, 300),
      await webp(SUNRISE, 300, 500),
    ];
    const request = {
      source: { prompt: 'A set' },
      config: {
        durationSeconds: 8,
        referenceImages: pictures.map((bytes, index) => ({
          image: image(bytes, ['image/png', 'image/jpeg', 'image/webp'][index] ?? ''),
          referenceType: VideoGenerationReferenceType.ASSET,
        })),
      },
    };
    const { shots, frames } = await readFilm(await film('references', request, drafts), [2]);
    assert.equal(frames, 8);
    const { pixels = Buffer.alloc(0), width = 0 } = shots[0] ?? {};
    const dominant = [0.18, 0.5, 0.82].map((x) => {
      const at = (Math.round(0.42 * 720) * width + Math.round(x * width)) * 3;
      return (pixels[at] ?? 0) > (pixels[at + 2] ?? 0) ? 'warm' : 'cold';
    });
    assert.deepEqual(dominant, ['warm', 'cold', 'warm']);
  });
});
