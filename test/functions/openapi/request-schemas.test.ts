import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { readUpload } from '../../../functions/files/api/create-file.ts';
import { FILE_REQUEST_EXAMPLES } from '../../../functions/files/api/file-operations.ts';
import { UPLOAD_START_EXAMPLES } from '../../../functions/files/api/native-file-operations.ts';
import { readUploadStart } from '../../../functions/files/api/native-upload.ts';
import { IMAGE_REQUEST_EXAMPLES } from '../../../functions/images/api/image-examples.ts';
import { readNativeRequest } from '../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../functions/images/api/read-chat-request.ts';
import { readEditImages, readGenerateImages } from '../../../functions/images/api/read-images-request.ts';
import { type BodyFields, isFields } from '../../../functions/platform/body/fields.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import { readVideoDraft } from '../../../functions/videos/api/read-video-request.ts';
import { VIDEO_REQUEST_EXAMPLES } from '../../../functions/videos/api/video-examples.ts';
import { resolveVideoRequest } from '../../../functions/videos/domain/video-request.ts';
import { longOr } from '../../support/long-tests.ts';
import { withKnownModel } from '../../support/model-names.ts';
import { arbitraryFor } from './support/arbitrary.ts';
import { isNode, nodeAt, schemaErrors, schemaPath, strictSchemaErrors } from './support/document.ts';

type Reader = {
  readonly schema: string;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly read: (body: BodyFields) => unknown;
  /** Messages of rules between fields, which a schema cannot state. */
  readonly rules: RegExp;
};

const uploadHeader = (name: string): string | undefined =>
  ({ 'x-goog-upload-command': 'start', 'content-type': 'application/json' })[name];

const READERS: readonly Reader[] = [
  {
    schema: 'CreateVideo',
    examples: VIDEO_REQUEST_EXAMPLES.createVideo,
    read: (body) => resolveVideoRequest(readVideoDraft(withKnownModel(body)).data),
    rules:
      /^At most \d|cannot be combined|requires a first frame|requires (8|3 to 10) seconds|must be [a-z0-9, ]+ seconds\.|but both are checked|^Negative prompt|are the same image|requires width|requires height|and height together|with height and size|has no (seed|negative prompt)|(resolution|size) must be one of|reference_images must be .*at most 3/,
  },
  {
    schema: 'NativeRequest',
    examples: IMAGE_REQUEST_EXAMPLES.native,
    read: (body) => readNativeRequest(IMAGE_MODEL, body),
    rules: /^contents must hold/,
  },
  {
    schema: 'ChatRequest',
    examples: IMAGE_REQUEST_EXAMPLES.chat,
    read: (body) => readChatRequest(withKnownModel(body)),
    rules: /^messages must hold/,
  },
  {
    schema: 'GenerateImages',
    examples: IMAGE_REQUEST_EXAMPLES.generateImages,
    read: (body) => readGenerateImages(withKnownModel(body)),
    rules: /^prompt must have 1 to|^n must be at most|must be 100 for png/,
  },
  {
    schema: 'EditImages',
    examples: IMAGE_REQUEST_EXAMPLES.editImages,
    read: (body) => readEditImages(withKnownModel(body)),
    rules:
      /^prompt must have 1 to|^n must be at most|must be 100 for png|^image is required|^images and image must be at most/,
  },
  {
    schema: 'CreateUpload',
    examples: FILE_REQUEST_EXAMPLES.upload,
    read: readUpload,
    rules: /^no rule/,
  },
  {
    schema: 'UploadStart',
    examples: UPLOAD_START_EXAMPLES,
    read: (body) => readUploadStart(uploadHeader, JSON.stringify(body)),
    rules: /^The file has the type/,
  },
];

const rejectionFor = (read: Reader['read'], body: unknown): DomainError | undefined => {
  if (!isFields(body)) throw new Error('not a body');
  try {
    read(body);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};

for (const { schema, examples, read, rules } of READERS)
  describe(`the reader of ${schema}`, () => {
    const bodies = fc.sample(arbitraryFor(nodeAt(...schemaPath(schema))), {
      seed: 7,
      numRuns: longOr(500, 2000),
    });

    test('accepts whatever the schema allows, except for rules between fields', () => {
      const refusals = bodies.map((body) => rejectionFor(read, body));
      const wrong = refusals.filter((refusal) => refusal !== undefined && !rules.test(refusal.message));
      assert.deepEqual(wrong, []);
      assert.ok(refusals.filter((refusal) => refusal === undefined).length > 100);
      assert.deepEqual(strictSchemaErrors(schemaPath(schema), bodies[0]), []);
    });

    for (const [name, body] of Object.entries(examples))
      test(`accepts the example ${name}`, () => assert.equal(rejectionFor(read, body), undefined));
  });

describe('a field of a create request', () => {
  const BASE = { model: 'video-3.1-generate-preview', prompt: 'A fox' };
  const VALUES = [
    ...[null, true, false, 0, 16, 8, -1, 1.5, 4_294_967_295, 4_294_967_296],
    ...['', ' ', ...'x 16 8 8.0 720p 8k 16:9 1:1 1280x720 1280x721 asset style'.split(' ')],
    ...[
      'https://example.com/fox.png',
      'data:image/png,fox',
      [],
      ['x'],
      {},
      { image_url: 'x' },
      { file_id: 'x' },
    ],
  ];
  const names = (path: readonly string[]) =>
    Object.keys(nodeAt('components', 'schemas', 'CreateVideo', ...path));
  /** A last frame requires a first one. */
  const baseFor = (name: string) => (name === 'last_frame' ? { ...BASE, input_reference: 'file_abc' } : BASE);
  const PLACES = [
    ...names(['properties']).map(
      (name) => [name, (value: unknown) => ({ ...baseFor(name), [name]: value })] as const,
    ),
    ...names(['properties', 'metadata', 'properties']).map(
      (name) =>
        [
          `metadata.${name}`,
          (value: unknown) => ({ ...baseFor(name), metadata: { [name]: value } }),
        ] as const,
    ),
  ];
  for (const [name, bodyWith] of PLACES)
    test(`${name} is rejected by the reader if and only if the schema rejects it`, () => {
      // Alternative names are not in the schema, so it allows any value for them.
      for (const value of name === 'metadata' ? VALUES.filter((each) => !isNode(each)) : VALUES) {
        const refusal = rejectionFor(
          (body) => resolveVideoRequest(readVideoDraft(body).data),
          bodyWith(value),
        );
        assert.equal(
          refusal !== undefined,
          schemaErrors(schemaPath('CreateVideo'), bodyWith(value)).length > 0,
          String(value),
        );
      }
    });

  test('has the same name in a form', () => {
    const form = Object.keys(nodeAt('components', 'schemas', 'CreateVideoForm', 'properties'));
    const missing = form.filter((name) => !names(['properties']).includes(name));
    assert.deepEqual(missing, []);
  });
});
