import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { restrictDocument } from '../../../functions/openapi/restrict-document.ts';
import { ALL_NAMES, anUpstream } from '../../support/builders/upstream.ts';
import { aGeminiApi, anOpenRouter, aVideosApi } from '../../support/builders/upstream-kinds.ts';
import { closed, type Node, nodesIn } from './support/document.ts';
import { DEPLOYMENTS, requestBodies, restrict, TEXT } from './support/restricted.ts';

const [STANDARD, FAST] = ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const;

const exampleErrors = (document: Node): string[] => {
  const ajv = new Ajv2020({
    strict: false,
    formats: { uri: true, binary: true },
    validateSchema: false,
    // Code that runs once is not worth optimizing.
    code: { optimize: false },
  });
  ajv.addSchema(Object(closed(document)), 'openapi.json');
  return requestBodies(document)
    .filter(({ examples }) => examples.length > 0)
    .flatMap(({ title, schema, examples }) => {
      const validate = ajv.compile({ $ref: `openapi.json${schema.$ref}` });
      return examples.flatMap((example) =>
        validate(example) ? [] : [`${title}: ${ajv.errorsText(validate.errors)}`],
      );
    });
};

test('the document of a deployment that offers everything is unchanged', () => {
  const everything = [
    [anUpstream('sample', { models: ALL_NAMES })],
    [aVideosApi('media-generation', { models: ALL_NAMES }), aGeminiApi()],
    [aVideosApi('none'), anUpstream('sample', { models: ALL_NAMES })],
  ];
  for (const upstreams of everything) assert.equal(restrictDocument(TEXT, { upstreams }), TEXT);
});

/** Compiles the schema of OpenAPI once. */
const validator = new Validator();

for (const [name, upstreams] of Object.entries(DEPLOYMENTS))
  describe(`the document of a deployment with ${name}`, () => {
    const document = restrict(...upstreams);

    test('is a valid OpenAPI 3.1 document', async () => {
      const { valid, errors } = await validator.validate(structuredClone(document));
      assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
    });

    test('has examples that fit the schemas', () => assert.deepEqual(exampleErrors(document), []));

    test('refers to each of its components and tags, and to no other', () => {
      const references = new Set(nodesIn(document).flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref])));
      const components = ['schemas', 'parameters', 'headers'].flatMap((kind) =>
        Object.keys(document.components[kind]).map((part) => `#/components/${kind}/${part}`),
      );
      assert.deepEqual(new Set(components), references);
      const tags = new Set(
        nodesIn(document.paths).flatMap((node) => (Array.isArray(node.tags) ? node.tags : [])),
      );
      assert.deepEqual(new Set(document.tags.map((tag: Node) => tag.name)), tags);
    });

    test('has no choice without values', () => {
      for (const { enum: values, examples, pattern } of nodesIn(document)) {
        assert.notDeepEqual(values, []);
        if (pattern !== undefined) assert.notDeepEqual(examples, []);
      }
    });
  });

describe('a model that is not offered', () => {
  const document = restrict(...DEPLOYMENTS['one video model']);
  const { schemas, parameters } = document.components;
  const names = [
    ...[STANDARD, 'sora-2-pro', 'sora-2-pro-2025-10-06', 'veo-3.0-generate-001', 'veo-3.0-generate-preview'],
    ...['veo-3.1', 'veo-3.1-generate', 'veo-3.1-generate-001', 'veo-3.1-generate-preview'],
  ];

  test('is not among the names of create requests and of the model list, and neither are its aliases', () => {
    assert.ok(!document.paths['/v1/videos'].post.description.includes(FAST));
    const [native] = document.paths['/v1beta/models/{model}:predictLongRunning'].post.parameters;
    for (const schema of [schemas.CreateVideo.properties.model, parameters.Model.schema, native.schema])
      assert.deepEqual(schema.enum, names);
    assert.equal(
      native.schema.description,
      'One of video-3.1-generate-preview, or an alias of one; GET /v1/models lists them.',
    );
  });

  test('stays among the names of operations, which older videos have', () => {
    assert.ok(parameters.VideoModel.schema.enum.includes(FAST));
    const { $ref } = document.paths['/v1beta/models/{model}/operations/{operation}'].get.parameters[0];
    assert.equal($ref, '#/components/parameters/VideoModel');
  });

  test('is replaced by the default of the deployment in requests that name none', () => {
    const words = (name: string) => `One of ${name}, or an alias of one; GET /v1/models lists them.`;
    for (const { properties, required } of [schemas.CreateVideo, schemas.CreateVideoForm]) {
      assert.deepEqual(required, ['model', 'prompt']);
      assert.equal(properties.model.description, words(STANDARD));
    }
    const offer = { upstreams: [anUpstream('sample', { models: ALL_NAMES })], defaults: { video: FAST } };
    const { CreateVideo, CreateVideoForm, GenerateImages } = JSON.parse(restrictDocument(TEXT, offer))
      .components.schemas;
    for (const { properties, required } of [CreateVideo, CreateVideoForm]) {
      assert.deepEqual(required, ['prompt']);
      assert.ok(properties.model.description.endsWith(` Default: ${FAST}.`));
    }
    assert.deepEqual(GenerateImages.required, ['model', 'prompt']);
  });

  test('is replaced in examples by one that is', () => {
    const fast = restrict(anOpenRouter({ models: { [STANDARD]: null } }));
    const { examples } = fast.paths['/v1/videos'].post.requestBody.content['application/json'];
    const models = Object.entries(examples).map(
      ([name, example]) => `${name} ${Object(example).value.model}`,
    );
    assert.deepEqual(models, [`text ${FAST}`, `metadata ${FAST}`, `first_and_last_frame ${FAST}`]);
  });

  test('is not in the examples of the model list', () => {
    const examples = (path: string) =>
      document.paths[path].get.responses['200'].content['application/json'].examples;
    const { data } = examples('/v1/models').models.value;
    const modes = data.map(({ id, capabilities }: Node) => [id, Object(capabilities).modes]);
    assert.deepEqual(modes, [[STANDARD, ['text', 'first_frame']]]);
    assert.deepEqual(Object.keys(examples('/v1/models/{model}')), ['model']);
    assert.equal(examples('/v1beta/models/{model}').model.value.name, `models/${STANDARD}`);
    const listed = examples('/v1beta/models').models.value.models.map(({ name }: Node) => name);
    assert.deepEqual(listed, [`models/${STANDARD}`]);
  });
});

describe('operations that could never succeed are left out:', () => {
  const operationIds = (document: Node, tag: string): string[] =>
    nodesIn(document.paths).flatMap(({ operationId, tags }) =>
      typeof operationId === 'string' && Array.isArray(tags) && tags.includes(tag) ? [operationId] : [],
    );

  test('creating videos, if there is no video model', () => {
    const document = restrict(aGeminiApi());
    assert.deepEqual(operationIds(document, 'Videos'), [
      ...['listVideos', 'getVideo', 'deleteVideo', 'cancelVideo', 'downloadVideo', 'getVideoInput'],
      ...['getGeneration', 'getModelOperation', 'getOperation', 'downloadFile'],
    ]);
    assert.equal(operationIds(document, 'Images').length, 6);
  });

  test('creating images, if there is no image model', () => {
    const document = restrict(aVideosApi('none'));
    assert.deepEqual(operationIds(document, 'Images'), []);
    assert.ok(operationIds(document, 'Videos').includes('createVideo'));
    assert.ok(operationIds(document, 'Files').includes('createFile'));
  });
});
