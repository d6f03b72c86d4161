import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { anOpenRouter, aVertex, aVideosApi } from '../../support/builders/upstream-kinds.ts';
import type { Node } from './support/document.ts';
import { DEPLOYMENTS, requestBodies, restrict, TEXT } from './support/restricted.ts';

const IMAGE = 'image-3.1-flash-image-preview';

/** The values of a field, as the schema lists them. */
const listedValues = (document: Node, schema: string, ...path: readonly string[]): unknown => {
  const field = path.reduce<Node>(
    (node, name) => Object(Object(node.properties)[name] ?? Object(Object(node.items).properties)[name]),
    Object(Object(document.components).schemas)[schema],
  );
  const [numbers, texts] = Array.isArray(field.anyOf) ? field.anyOf : [];
  return field.enum ?? (numbers === undefined ? field : [numbers.enum, texts.pattern, texts.examples]);
};

describe('a narrow offer', () => {
  const document = restrict(...DEPLOYMENTS['a narrow offer']);
  for (const [field, values] of [
    ['seconds', [[4, 8], '^(?:4|8)$', ['4', '8']]],
    ['duration', [[4, 8], '^(?:4|8)$', ['4', '8']]],
    ['durationSeconds', [[4, 8], '^(?:4|8)$', ['4', '8']]],
    ['resolution', ['1080p']],
    ['aspectRatio', ['9:16']],
    ['size', ['1080x1920']],
    ['width', [[1080, 1920], '^(?:1080|1920)$', ['1080', '1920']]],
    ['height', [[1080, 1920], '^(?:1080|1920)$', ['1080', '1920']]],
  ] as const)
    test(`restricts the values of ${field}, also in metadata and in forms`, () => {
      assert.deepEqual(listedValues(document, 'CreateVideo', field), values);
      assert.deepEqual(listedValues(document, 'CreateVideo', 'metadata', field), values);
      assert.deepEqual(listedValues(document, 'CreateVideoForm', field), values);
    });

  test('restricts the native format', () => {
    const fields = (name: string) => listedValues(document, 'NativeVideoRequest', 'parameters', name);
    assert.deepEqual(fields('durationSeconds'), [[4, 8], '^(?:4|8)$', ['4', '8']]);
    assert.deepEqual([fields('resolution'), fields('aspectRatio')], [['1080p'], ['9:16']]);
  });

  test('has no fields that are not accepted, but the images of those that are', () => {
    const { CreateVideo, CreateVideoForm, NativeVideoRequest } = document.components.schemas;
    const { instances, parameters } = NativeVideoRequest.properties;
    const dependent = ['seed', 'negativePrompt', 'input_reference', 'last_frame', 'reference_images'];
    for (const { properties } of [CreateVideo, CreateVideo.properties.metadata, CreateVideoForm])
      assert.deepEqual(
        dependent.filter((name) => name in properties),
        ['input_reference', 'reference_images'],
      );
    assert.deepEqual(Object.keys(instances.items.properties).toSorted(), [
      'image',
      'mask',
      'prompt',
      'referenceImages',
      'video',
    ]);
    assert.ok('image' in instances.items.properties.referenceImages.items.properties);
    const offered = ['seed', 'negativePrompt'].filter((name) => name in parameters.properties);
    assert.deepEqual(offered, []);
    const { encoding } = document.paths['/v1/videos'].post.requestBody.content['multipart/form-data'];
    assert.deepEqual(Object.keys(encoding), ['input_reference', 'reference_images']);
  });

  test('says so, and lists the sizes that it has', () => {
    const { description, properties } = document.components.schemas.CreateVideo;
    assert.equal(
      description,
      'A create request in JSON. Unknown fields are rejected. This deployment offers only some of the options: GET /v1/models lists them.',
    );
    assert.equal(properties.width.description, 'With height, equivalent to size: 1080x1920.');
  });

  test('has no examples that it would refuse', () => {
    const bodies = requestBodies(document).filter(({ title }) => title.startsWith('createVideo '));
    const examples = bodies.map(({ examples }) => examples);
    assert.deepEqual(examples, [[], []]);
  });

  test('leaves the schemas of responses and the filters of lists as they are', () => {
    const all = JSON.parse(TEXT);
    for (const name of ['Video', 'CreatedVideo', 'Model', 'VideoCapabilities'])
      assert.deepEqual(document.components.schemas[name], all.components.schemas[name]);
    for (const name of ['ModelFilter', 'VideoModels', 'VideoSizes'])
      assert.deepEqual(document.components.parameters[name], all.components.parameters[name]);
  });
});

describe('the fields of image requests', () => {
  const schemasWith = (...upstreams: readonly Upstream[]) => restrict(...upstreams).components.schemas;

  test('have no safety settings at OpenRouter', () => {
    const { NativeRequest, ChatRequest, ImagenRequest, GenerateImages } = schemasWith(anOpenRouter());
    assert.ok(!('safetySettings' in NativeRequest.properties));
    assert.ok(!('safety_settings' in ChatRequest.properties));
    assert.ok(!('safetySetting' in ImagenRequest.properties.parameters.properties));
    assert.ok('systemInstruction' in NativeRequest.properties && 'seed' in GenerateImages.properties);
    assert.equal(NativeRequest.properties.contents.maxItems, 200);
    assert.equal(
      NativeRequest.description,
      'An image request in the native format. Field names may also be in snake_case. Unknown fields are rejected. This deployment offers only some of the options.',
    );
  });

  test('have no size that the upstreams do not make', () => {
    const { ImageConfig, GenerateImages, ImagenRequest } = schemasWith(anOpenRouter());
    for (const { enum: sizes } of [
      ImageConfig.properties.imageSize,
      GenerateImages.properties.imageSize,
      GenerateImages.properties.size.anyOf[0],
      ImagenRequest.properties.parameters.properties.sampleImageSize,
    ])
      assert.deepEqual([sizes.includes('512'), sizes.includes('1K')], [false, true]);
    assert.equal(GenerateImages.properties.size.anyOf[1].examples[0], '1024x1024');
  });

  test('have only a prompt and images at a server of the Images API', () => {
    const { NativeRequest, ChatRequest, ImagenRequest, GenerateImages, EditImages } = schemasWith(
      aVideosApi('none', { models: { [IMAGE]: 'gpt-image-2' } }),
    );
    const { generationConfig, contents, systemInstruction } = NativeRequest.properties;
    const sampling = 'seed temperature topP top_p'.split(' ');
    assert.deepEqual([contents.maxItems, systemInstruction], [1, undefined]);
    for (const { properties } of [
      generationConfig,
      ChatRequest,
      ImagenRequest.properties.parameters,
      GenerateImages,
      EditImages,
    ])
      assert.deepEqual(
        sampling.filter((name) => name in properties),
        [],
      );
    assert.ok('imageConfig' in generationConfig.properties);
  });

  test('are unchanged if only videos are restricted', () => {
    const all = JSON.parse(TEXT).components.schemas;
    const schemas = schemasWith(aVertex({ offers: { seed: false } }));
    for (const name of ['ImageConfig', 'NativeRequest', 'ChatRequest', 'ImagenRequest', 'GenerateImages'])
      assert.deepEqual(schemas[name], all[name]);
  });
});

test('an option that only one of the models has stays in the document', () => {
  const { resolution } = restrict(aVertex()).components.schemas.CreateVideo.properties;
  assert.deepEqual(resolution.enum, ['720p', '1080p', '4k']);
});

test('an example that no single upstream can serve is left out', () => {
  const document = restrict(...DEPLOYMENTS['options of different upstreams']);
  const { examples } = document.paths['/v1/videos'].post.requestBody.content['application/json'];
  assert.deepEqual(Object.keys(examples), ['text', 'first_and_last_frame', 'reference_images']);
});
