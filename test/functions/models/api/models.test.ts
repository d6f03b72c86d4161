import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findListedName, modelList, modelObject } from '../../../../functions/models/api/models.ts';
import { nativeModel, nativeModelList } from '../../../../functions/models/api/native-models.ts';

const [STANDARD, FAST, IMAGE] = [
  'video-3.1-generate-preview',
  'video-3.1-fast-generate-preview',
  'image-3.1-flash-image-preview',
] as const;
const ALIASES = { 'sora-2': FAST, 'imagen-4': IMAGE, house: STANDARD, 'sora-2-pro': STANDARD };
const NAMES = [STANDARD, FAST, IMAGE, 'house', 'sora-2-pro', 'sora-2', 'imagen-4'];

describe('the list of models', () => {
  test('has the models, then an entry for each alias that names its model', () => {
    const { data } = modelList(ALIASES);
    assert.deepEqual(
      data.map(({ id, alias_of, aliases }) => [id, alias_of, aliases]),
      [
        [STANDARD, null, ['house', 'sora-2-pro']],
        [FAST, null, ['sora-2']],
        [IMAGE, null, ['imagen-4']],
        ['house', STANDARD, []],
        ['sora-2-pro', STANDARD, []],
        ['sora-2', FAST, []],
        ['imagen-4', IMAGE, []],
      ],
    );
  });

  test('has the same entry as a request for one name, with or without a prefix', () => {
    for (const entry of modelList(ALIASES).data)
      for (const prefix of ['', 'models/', 'google/', 'openai/']) {
        const found = findListedName(ALIASES, `${prefix}${entry.id}`) ?? assert.fail(entry.id);
        assert.deepEqual(modelObject(ALIASES, found), entry);
      }
    for (const name of ['other', 'models/other', 'models/', 'models/models/house', 'constructor'])
      assert.equal(findListedName(ALIASES, name), undefined, name);
  });
});

const pages = (pageSize: number): string[][] => {
  const found: string[][] = [];
  let token: string | undefined;
  do {
    const query = new Map([
      ['pageSize', String(pageSize)],
      ...(token === undefined ? [] : [['pageToken', token] as const]),
    ]);
    const page = nativeModelList(ALIASES, (name) => query.get(name));
    found.push(page.models.map(({ name }) => name));
    token = page.nextPageToken;
  } while (token !== undefined);
  return found;
};

describe('the native list of models', () => {
  test('has the same names on one page or on several', () => {
    const names = NAMES.map((name) => `models/${name}`);
    for (const pageSize of [1, 2, 3, 6, 7, 50]) {
      const found = pages(pageSize);
      assert.deepEqual(found.flat(), names);
      assert.equal(found.length, Math.ceil(NAMES.length / pageSize));
    }
    assert.deepEqual(
      nativeModelList(ALIASES, () => undefined).models.map(({ name }) => name),
      names,
    );
  });

  for (const [name, value] of [
    ['pageSize', '0'],
    ['pageSize', 'x'],
    ['pageToken', 'x'],
    ['pageToken', 'models/house'],
  ])
    test(`rejects ${name} ${value}`, () =>
      assert.throws(() => nativeModelList(ALIASES, (given) => (given === name ? value : undefined)), {
        code: 'invalid_request',
        param: name,
      }));

  test('describes an alias with the name of its model', () => {
    assert.deepEqual(nativeModel({ name: 'veo-3.1', model: STANDARD }), {
      name: 'models/veo-3.1',
      baseModelId: STANDARD,
      version: '3.1',
      displayName: 'Video 3.1 (veo-3.1)',
      description: `Alias of ${STANDARD}. Generates videos of 4, 6 or 8 seconds with sound.`,
      supportedGenerationMethods: ['predictLongRunning'],
      inputTokenLimit: 32_000,
      outputTokenLimit: 32_768,
    });
    assert.deepEqual(nativeModel({ name: IMAGE, model: IMAGE }), {
      name: `models/${IMAGE}`,
      baseModelId: IMAGE,
      version: '3.1',
      displayName: 'Image 3.1 Flash',
      description: 'Generates and edits images.',
      supportedGenerationMethods: ['generateContent', 'predict'],
      inputTokenLimit: 32_000,
      outputTokenLimit: 32_768,
    });
  });

  for (const [name, methods] of [
    ['gemini-2.5-flash-image', ['generateContent']],
    ['imagen-4.0-generate-001', ['predict']],
    ['dall-e-3', ['generateContent', 'predict']],
  ] as const)
    test(`has ${methods.join(' and ')} for ${name}`, () =>
      assert.deepEqual(nativeModel({ name, model: IMAGE }).supportedGenerationMethods, methods));
});
