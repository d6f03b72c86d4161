import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Catalogue,
  modelList,
  modelObject,
  requireListedName,
} from '../../../../functions/models/api/models.ts';
import { nativeModel, nativeModelList } from '../../../../functions/models/api/native-models.ts';
import { anUpstream, FAST, IMAGE, STANDARD } from '../../../support/builders/upstream.ts';
import { aGeminiApi, aVertex, aVideosApi } from '../../../support/builders/upstream-kinds.ts';

const ALIASES = { 'sora-2': FAST, 'imagen-4': IMAGE, house: STANDARD, 'sora-2-pro': STANDARD };
const EVERYTHING: Catalogue = { aliases: ALIASES, upstreams: [anUpstream('sample')] };
const VIDEOS_ONLY: Catalogue = {
  aliases: ALIASES,
  upstreams: [aVideosApi('none', { models: { [STANDARD]: null } })],
};
const findName = (catalogue: Catalogue, name: string) => requireListedName(catalogue, name, () => {});
const NAMES = [STANDARD, FAST, IMAGE, 'house', 'sora-2-pro', 'sora-2', 'imagen-4'];

describe('the list of models', () => {
  test('has the models, then an entry for each alias that names its model', () => {
    const { data } = modelList(EVERYTHING);
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
    for (const entry of modelList(EVERYTHING).data)
      for (const prefix of ['', 'models/', 'google/', 'openai/'])
        assert.deepEqual(modelObject(EVERYTHING, findName(EVERYTHING, `${prefix}${entry.id}`)), entry);
  });

  test('has only models that an upstream offers, and their aliases', () => {
    const ids = modelList(VIDEOS_ONLY).data.map(({ id }) => id);
    assert.deepEqual(ids, [FAST, 'sora-2']);
    const { data } = modelList({ aliases: ALIASES, upstreams: [aGeminiApi()] });
    const imageIds = data.map(({ id }) => id);
    assert.deepEqual(imageIds, [IMAGE, 'imagen-4']);
  });
});

describe('a request for one model', () => {
  for (const name of ['other', 'models/other', 'models/', 'models/models/house', 'constructor'])
    test(`rejects the unknown name ${name} with the offered models`, () => {
      assert.throws(() => findName(EVERYTHING, name), {
        code: 'model_not_found',
        param: 'model',
        message: `model must be ${STANDARD}, ${FAST}, ${IMAGE}, or an alias of one; GET /v1/models lists them.`,
      });
      assert.throws(() => findName(VIDEOS_ONLY, name), {
        message: `model must be ${FAST}, or an alias of one; GET /v1/models lists them.`,
      });
    });

  for (const [name, model] of [
    [STANDARD, STANDARD],
    ['house', STANDARD],
    ['models/imagen-4', IMAGE],
  ] as const)
    test(`rejects ${name}, which this deployment does not offer`, () =>
      assert.throws(() => findName(VIDEOS_ONLY, name), {
        code: 'model_not_found',
        param: 'model',
        message: `This deployment does not offer ${model}; it offers ${FAST}.`,
      }));
});

test('the capabilities of a model are all that its upstreams offer together', () => {
  const upstreams = [
    aVideosApi('none', { offers: { seconds: [4], resolutions: ['720p'] } }),
    aVertex({ offers: { modes: ['references'], seconds: [8], aspectRatios: ['16:9'], seed: false } }),
  ];
  const fast = modelList({ aliases: {}, upstreams }).data.find(({ id }) => id === FAST);
  assert.deepEqual(fast?.capabilities, {
    modes: ['text', 'first_frame', 'references'],
    seconds: [4, 8],
    seconds_by_mode: { text: [4, 8], first_frame: [4, 8], references: [8] },
    resolutions: ['720p', '1080p'],
    aspect_ratios: ['16:9', '9:16'],
    seed: false,
    negative_prompt: true,
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
    const page = nativeModelList(EVERYTHING, (name) => query.get(name));
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
    const listed = nativeModelList(EVERYTHING, () => undefined).models.map(({ name }) => name);
    assert.deepEqual(listed, names);
  });

  for (const [name = '', value] of [
    ...['', '0', '01', 'x1', '1x', '1000000000'].map((size) => ['pageSize', size]),
    ...['x', 'models/house'].map((token) => ['pageToken', token]),
  ])
    test(`rejects ${name} ${value}`, () =>
      assert.throws(() => nativeModelList(EVERYTHING, (given) => (given === name ? value : undefined)), {
        code: 'invalid_request',
        param: name,
      }));

  test('describes an alias with the name of its model', () => {
    assert.deepEqual(nativeModel(EVERYTHING, { name: 'veo-3.1', model: STANDARD }), {
      name: 'models/veo-3.1',
      baseModelId: STANDARD,
      version: '3.1',
      displayName: 'Video 3.1 (veo-3.1)',
      description: `Alias of ${STANDARD}. Generates videos of 4, 6 or 8 seconds with sound.`,
      supportedGenerationMethods: ['predictLongRunning'],
      inputTokenLimit: 32_000,
      outputTokenLimit: 32_768,
    });
    assert.deepEqual(nativeModel(EVERYTHING, { name: IMAGE, model: IMAGE }), {
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
    ['nano-banana-pro-preview', ['generateContent']],
    ['imagen-4.0-generate-001', ['predict']],
    ['dall-e-3', ['generateContent', 'predict']],
  ] as const)
    test(`has ${methods.join(' and ')} for ${name}`, () =>
      assert.deepEqual(nativeModel(EVERYTHING, { name, model: IMAGE }).supportedGenerationMethods, methods));
});
