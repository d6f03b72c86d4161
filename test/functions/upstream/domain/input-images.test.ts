import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UnreadableImage } from '../../../../functions/catalogue/domain/image-conversion.ts';
import type { InputImage } from '../../../../functions/catalogue/domain/input-image.ts';
import { inputConverter } from '../../../../functions/upstream/domain/input-images.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { type LoadedInput, UnusableInput } from '../../../../functions/upstream/domain/video-generator.ts';
import { aGeminiApi, anOpenRouter, aVertex, aVideosApi } from '../../../support/builders/upstream-kinds.ts';

const input = (role: LoadedInput['role'], mimeType: LoadedInput['mimeType']): LoadedInput => ({
  role,
  mimeType,
  bytes: Uint8Array.of(1),
});
const INPUTS = [
  input('first_frame', 'image/png'),
  input('last_frame', 'image/webp'),
  input('reference', 'image/jpeg'),
];
const CONVERTED: InputImage = { bytes: Uint8Array.of(2), mimeType: 'image/jpeg' };

describe('the images of a video', () => {
  const ALL = ['image/png', 'image/webp', 'image/jpeg'];
  const COMMON = ['image/png', 'image/jpeg', 'image/jpeg'];

  const TABLE: readonly (readonly [title: string, upstream: Upstream, types: readonly string[]])[] = [
    ['the Gemini API', aGeminiApi(), ALL],
    ['Vertex AI', aVertex(), COMMON],
    ['OpenRouter', anOpenRouter(), COMMON],
    ['a server of the Videos API', aVideosApi('none'), COMMON],
    ['such a server with metadata', aVideosApi('metadata'), COMMON],
    ['such a server with options at top level', aVideosApi('top-level'), COMMON],
    ['another deployment of this service', aVideosApi('media-generation'), ALL],
  ];
  for (const [title, upstream, types] of TABLE)
    test(`are ${types.join(', ')} for ${title}`, async () => {
      const prepared = await inputConverter(async () => CONVERTED)(upstream, INPUTS);
      const found = prepared.map(({ mimeType }) => mimeType);
      assert.deepEqual(found, types);
    });

  test('keep their roles and their order, and those that are accepted stay as they are', async () => {
    const prepared = await inputConverter(async () => CONVERTED)(aVertex(), INPUTS);
    assert.deepEqual(prepared, [INPUTS[0], { role: 'last_frame', ...CONVERTED }, INPUTS[2]]);
    assert.equal(prepared[0], INPUTS[0]);
  });

  test('are converted once, whichever upstreams are tried', async () => {
    const converted: unknown[] = [];
    const prepare = inputConverter(async (image) => {
      converted.push(image);
      return CONVERTED;
    });
    for (const upstream of [aGeminiApi(), aVertex(), aVertex(), anOpenRouter()])
      await prepare(upstream, INPUTS);
    assert.deepEqual(converted, [INPUTS[1]]);
  });

  test('are converted one after another, to save memory', async () => {
    let running = 0;
    const prepare = inputConverter(async () => {
      running += 1;
      assert.equal(running, 1);
      await Promise.resolve();
      running -= 1;
      return CONVERTED;
    });
    const three = Array.from({ length: 3 }, () => input('reference', 'image/webp'));
    assert.equal((await prepare(aVertex(), three)).length, 3);
  });
});

describe('an image that cannot be converted', () => {
  const prepare = (convert: () => Promise<InputImage>) => inputConverter(convert)(aVertex(), INPUTS);

  test('is unusable, for a reason that its sender can read', async () => {
    const reason = new UnreadableImage('The image has 9000x9000 pixels; at most 20 million can be converted');
    const failure = await prepare(() => Promise.reject(reason)).catch((error: unknown) => error);
    assert.ok(failure instanceof UnusableInput);
    assert.equal(failure.cause, reason);
    assert.equal(
      failure.message,
      'The generator accepts JPEG and PNG images only, and a WebP image was not converted: The image has 9000x9000 pixels; at most 20 million can be converted.',
    );
  });

  for (const [length, fits] of [
    [20_000_000, true],
    [20_000_001, false],
  ] as const)
    test(`is ${fits ? 'usable' : 'unusable'} with ${length} bytes`, async () => {
      const prepared = prepare(async () => ({ bytes: new Uint8Array(length), mimeType: 'image/png' }));
      if (fits) assert.equal((await prepared)[1]?.bytes.length, length);
      else
        await assert.rejects(prepared, {
          name: 'UnusableInput',
          message:
            'The generator accepts JPEG and PNG images only, and a WebP image was not converted: as image/png it would have 20.1 MB; at most 20 MB are accepted.',
        });
    });

  test('for a reason that is not its own is tried again', async () => {
    const failure = new Error('the thread ended');
    await assert.rejects(
      prepare(() => Promise.reject(failure)),
      failure,
    );
  });
});
