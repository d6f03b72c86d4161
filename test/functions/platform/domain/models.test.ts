import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as files from '../../../../functions/files/domain/files.ts';
import * as images from '../../../../functions/images/domain/image-request.ts';
import * as models from '../../../../functions/platform/domain/models.ts';
import { aliasesOf, resolveModel } from '../../../../functions/platform/domain/models.ts';
import { ALIASES, readEnvironment } from '../../../../functions/platform/runtime/environment.ts';
import * as webhooks from '../../../../functions/webhooks/domain/webhooks.ts';

/** The tables of the specification and the limits that clients meet, as they are documented. */

test('the models are those of the specification', () => {
  assert.deepEqual(models.MODELS, [
    'video-3.1-generate-preview',
    'video-3.1-fast-generate-preview',
    'image-3.1-flash-image-preview',
  ]);
  assert.deepEqual([models.VIDEO_MODELS, models.IMAGE_MODEL], [models.MODELS.slice(0, 2), models.MODELS[2]]);
});

test('videos take 4, 6 or 8 seconds in three resolutions and two aspect ratios', () => {
  assert.deepEqual(
    [models.DURATIONS, models.RESOLUTIONS, models.ASPECT_RATIOS],
    [
      [4, 6, 8],
      ['720p', '1080p', '4k'],
      ['16:9', '9:16'],
    ],
  );
  assert.deepEqual(
    [models.DEFAULT_DURATION, models.DEFAULT_RESOLUTION, models.DEFAULT_ASPECT_RATIO],
    [8, '720p', '16:9'],
  );
});

for (const [size, resolution, aspectRatio] of [
  ['1280x720', '720p', '16:9'],
  ['720x1280', '720p', '9:16'],
  ['1920x1080', '1080p', '16:9'],
  ['1080x1920', '1080p', '9:16'],
  ['3840x2160', '4k', '16:9'],
  ['2160x3840', '4k', '9:16'],
] as const)
  test(`${size} is ${resolution} at ${aspectRatio}, and the other way round`, () => {
    assert.deepEqual(models.PIXEL_SIZES[size], { resolution, aspectRatio });
    assert.equal(models.pixelSize(resolution, aspectRatio), size);
  });

test('inputs have the documented limits', () => {
  assert.deepEqual(models.IMAGE_TYPES, ['image/jpeg', 'image/png', 'image/webp']);
  assert.deepEqual(
    [
      models.MAX_REFERENCE_IMAGES,
      models.MAX_IMAGE_BYTES,
      models.MAX_IMAGE_SIDE,
      models.MAX_PROMPT_CHARACTERS,
      models.MAX_SEED,
    ],
    [3, 20_000_000, 8192, 32_000, 4_294_967_295],
  );
});

test('only an entry of a table is one of it', () => {
  assert.deepEqual(
    [4, '4', undefined].map((value) => models.isOneOf(models.DURATIONS, value)),
    [true, false, false],
  );
});

test('images have 14 aspect ratios and four sizes, 1K by default', () => {
  const ratios = '1:1 1:4 4:1 1:8 8:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9';
  assert.equal(images.IMAGE_ASPECT_RATIOS.join(' '), ratios);
  assert.deepEqual([images.IMAGE_SIZES, images.DEFAULT_IMAGE_SIZE], [['512', '1K', '2K', '4K'], '1K']);
  assert.deepEqual(images.MODALITIES, ['TEXT', 'IMAGE']);
});

test('an image can be made from a text or an image of the user, and from nothing else', () => {
  const text = images.textPart('a harbour');
  const image = images.imagePart({ fileId: 'file_1' });
  for (const [role, parts, holds] of [
    ['user', [text], true],
    ['user', [image], true],
    ['user', [images.textPart(' \n')], false],
    ['user', [images.textPart(' '), image], true],
    ['user', [], false],
    ['model', [text, image], false],
  ] as const)
    assert.equal(images.holdsPrompt([{ role, parts }]), holds, `${role} ${JSON.stringify(parts)}`);
  assert.equal(
    images.holdsPrompt([
      { role: 'model', parts: [image] },
      { role: 'user', parts: [text] },
    ]),
    true,
  );
});

test('a file lies under its account, and among the removed ones after its end', () => {
  const key = files.fileKey('acme', 'file_1');
  assert.deepEqual([key, files.removedFileKey(key)], ['files/~acme/file_1', 'removed-files/~acme/file_1']);
  assert.deepEqual(['files/~a/b', 'inputs/files/', 'removed-files/~a/b'].map(files.isFileKey), [
    true,
    false,
    false,
  ]);
});

test('files have the documented limits', () => {
  assert.deepEqual(
    [files.FILE_PURPOSES, files.MAX_INPUT_FILES, files.MAX_FILE_NAME_CHARACTERS, files.FILE_LIFETIME_SECONDS],
    [['vision', 'user_data'], 10, 255, { least: 3600, most: 2_592_000 }],
  );
  assert.equal(files.FILE_EXPIRY_METADATA, 'expires-at');
  assert.equal(files.UPLOAD_LIFETIME, 900_000);
});

test('no bytes arrive for a file 75 minutes after its creation', () => {
  assert.equal(files.uploadEndsAt({ createdAt: 1000 }), 4_501_000);
});

test('webhooks have two event types, three states and ten endpoints an account', () => {
  assert.deepEqual(
    [
      webhooks.WEBHOOK_EVENT_TYPES,
      webhooks.DELIVERY_STATUSES,
      webhooks.DISABLED_REASONS,
      webhooks.MAX_ENDPOINTS,
    ],
    [['video.completed', 'video.failed'], ['pending', 'delivered', 'failed'], ['gone', 'failing'], 10],
  );
});

const aliasesGiven = (json: string) => {
  const { MODEL_ALIASES: shape } = ALIASES;
  process.env.MODEL_ALIASES = json;
  return readEnvironment({ MODEL_ALIASES: shape }).MODEL_ALIASES;
};

test('configured aliases come on top of the known ones, and before them', () => {
  const aliases = aliasesGiven(
    '{"house":"video-3.1-generate-preview","sora-2":"video-3.1-generate-preview"}',
  );
  assert.equal(resolveModel(aliases, 'house'), 'video-3.1-generate-preview');
  assert.equal(resolveModel(aliases, 'sora-2'), 'video-3.1-generate-preview');
  assert.equal(resolveModel(aliases, 'sora-2-2025-10-06'), 'video-3.1-fast-generate-preview');
  assert.ok(aliasesOf(aliases, 'video-3.1-generate-preview').includes('house'));
});

test('a name that is no alias stays as it is, and so does one that every object has', () => {
  for (const name of ['video-3.1-generate-preview', 'sora-3', 'constructor', '__proto__', ''])
    assert.equal(resolveModel(aliasesGiven('{}'), name), name);
});
