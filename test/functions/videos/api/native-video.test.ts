import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VideoErrorCode } from '../../../../functions/upstream/domain/video-generator.ts';
import {
  nativeOperation,
  readFileTaskId,
  readLinkedTaskId,
  readNativeVideoDraft,
} from '../../../../functions/videos/api/native-video.ts';
import { aTask } from '../../../support/builders/task.ts';
import { imageKind, PNG } from '../../../support/images.ts';

const MODEL = 'video-3.1-generate-preview';
const read = (instance: object, parameters: object = {}, more: object = {}) =>
  readNativeVideoDraft(MODEL, { instances: [{ prompt: 'a fox', ...instance }], parameters, ...more }).data;
const data = PNG.toString('base64');
const image = { bytesBase64Encoded: data, mimeType: 'image/png' };

describe('an image is accepted', () => {
  const FORMS: readonly (readonly [string, unknown])[] = [
    ['as bytesBase64Encoded', image],
    ['as bytes_base64_encoded', { bytes_base64_encoded: data, mime_type: 'image/png' }],
    ['as inlineData', { inlineData: { mimeType: 'image/png', data } }],
    ['as imageBytes', { imageBytes: data }],
    ['as a data URI', `data:image/png;base64,${data}`],
  ];
  for (const [title, form] of FORMS)
    test(title, () => {
      const draft = readNativeVideoDraft(MODEL, { instances: [{ prompt: 'a fox', image: form }] });
      assert.deepEqual([imageKind(draft.data.firstFrame), draft.ignored], ['image/png', []]);
    });
  test('as a file', () => {
    const fileUri = 'files/01kf0xw3g0a1b2c3d4e5f6g7h8';
    const fileId = 'file_01kf0xw3g0a1b2c3d4e5f6g7h8';
    for (const form of [{ fileUri }, { fileData: { fileUri } }, { gcsUri: fileUri }, { fileId }])
      assert.equal(imageKind(read({ image: form }).firstFrame), fileId);
  });
  test('in snake_case, like every field', () => {
    const draft = read(
      { image, last_frame: image },
      { duration_seconds: 8, aspect_ratio: '9:16', negative_prompt: 'rain', seed: 0, sample_count: 1 },
    );
    assert.equal(imageKind(draft.lastFrame), 'image/png');
    assert.deepEqual(
      [draft.metadata.durationSeconds, draft.aspectRatio, draft.negativePrompt, draft.seed],
      [8, '9:16', 'rain', 0],
    );
  });
});

describe('an image needs no prompt', () => {
  for (const prompt of ['', ' \n', undefined, null])
    test(`which is then ${JSON.stringify(prompt)}`, () => {
      assert.equal(read({ prompt, image }).prompt, '');
      assert.equal(read({ prompt, image, lastFrame: image }, { durationSeconds: 8 }).prompt, '');
    });
  test('but keeps the one that it has', () => assert.equal(read({ prompt: ' run ', image }).prompt, ' run '));
});

describe('parameters without effect are accepted', () => {
  for (const parameters of [
    { personGeneration: 'allow_all' },
    { personGeneration: 'ALLOW_ADULT' },
    { enhancePrompt: true },
    { negativePrompt: null },
  ])
    test(JSON.stringify(parameters), () => assert.equal(read({}, parameters).prompt, 'a fox'));
});

describe('a request is refused', () => {
  type Row = readonly [body: () => unknown, message: RegExp, code?: string];
  const UNKNOWN = 'unknown_parameter';
  const refused: readonly Row[] = [
    [() => read({ prompt: '' }), /^instances\[0\]\.prompt is required without image: 1 to 32000/],
    [() => read({ prompt: ' ' }), /^instances\[0\]\.prompt is required/],
    [() => read({ prompt: undefined }), /^instances\[0\]\.prompt is required/],
    [() => read({ prompt: '', referenceImages: [{ image }] }), /^instances\[0\]\.prompt is required/],
    [() => read({ prompt: 'x'.repeat(32_001), image }), /^instances\[0\]\.prompt is longer than 32000/],
    [() => readNativeVideoDraft(MODEL, {}), /^instances must be a list/],
    [() => read({}, {}, { instances: [{ prompt: 'a' }, { prompt: 'b' }] }), /^instances .*one/],
    [() => read({}, { sampleCount: 2 }), /^parameters\.sampleCount must be 1/],
    [() => read({}, { durationSeconds: 'x' }), /^parameters\.durationSeconds must be a whole number/],
    [() => read({}, { aspectRatio: '1:1' }), /^parameters\.aspectRatio must be one of 16:9, 9:16/],
    [() => read({}, { resolution: '480p' }), /^parameters\.resolution must be one of 720p/],
    [() => read({}, { personGeneration: 'dont_allow' }), /^parameters\.personGeneration must be allow_all/],
    [() => read({}, { enhancePrompt: false }), /^parameters\.enhancePrompt must be true/],
    [() => read({}, { generateAudio: true }), /^generateAudio is not supported/, 'INVALID_ARGUMENT'],
    [() => read({ video: { uri: 'x' } }), /^instances\[0\]\.video is not supported/, 'not_offered'],
    [() => read({}, { resizeMode: 'crop' }), /^parameters\.resizeMode is not supported/, 'not_offered'],
    [() => read({}, {}, { webhookConfig: {} }), /^webhookConfig is not supported/, 'not_offered'],
    [() => read({}, { webhookConfig: {} }), /^parameters\.webhookConfig is not supported/, 'not_offered'],
    [() => read({ mask: {} }), /^instances\[0\]\.mask is not supported/, 'not_offered'],
    [() => read({}, { video: {} }), /^parameters\.video is not supported/, 'not_offered'],
    [() => read({}, { durationsecond: 4 }), /^parameters\.durationsecond .*mean durationSeconds/, UNKNOWN],
    [() => read({ firstFrame: image }), /^instances\[0\]\.firstFrame is not an accepted field/, UNKNOWN],
    [() => read({}, {}, { labels: {} }), /^labels is not an accepted field/, UNKNOWN],
    [() => read({ image: { ...image, crop: {} } }), /^instances\[0\]\.image\.crop /, UNKNOWN],
    [() => read({ image: { gcsUri: 'gs://a/b' } }), /^instances\[0\]\.image/, 'remote_image_not_supported'],
    [() => read({ image: 'https://a/b' }), /^instances\[0\]\.image/, 'remote_image_not_supported'],
    [() => read({ image: {} }), /^instances\[0\]\.image/],
    [() => read({ lastFrame: image }), /^instances\[0\]\.lastFrame requires a first frame/],
    [() => read({ image, referenceImages: [{ image }] }), /^instances\[0\]\.referenceImages cannot be/],
    [() => read({ referenceImages: Array(4).fill({ image }) }), /^instances\[0\]\.referenceImages .*most 3/],
    [() => read({ referenceImages: [{ image, referenceType: 'STYLE' }] }), /referenceType must be asset/],
  ];
  for (const [body, message, code = 'invalid_request'] of refused)
    test(String(message), () => assert.throws(body, { code, message }));
});

describe('an operation', () => {
  const show = (change: Parameters<typeof aTask>[0] = {}) => {
    const { name, ...rest } = nativeOperation(aTask(change), 'https://media.test');
    assert.equal(name, `models/${MODEL}/operations/task_01k0000000aaaaaaaaaaaaaaaa`);
    return rest;
  };
  const type = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
  const response = (generateVideoResponse: object) => ({ '@type': type, generateVideoResponse });

  test('is not done before its video is, and then names the file', () => {
    for (const status of ['queued', 'in_progress'] as const)
      assert.deepEqual(show({ status }), { done: false });
    const uri = 'https://media.test/v1beta/files/01k0000000aaaaaaaaaaaaaaaa:download?alt=media';
    const completed = { done: true, response: response({ generatedSamples: [{ video: { uri } }] }) };
    assert.deepEqual(show({ status: 'completed' }), completed);
  });

  test('has the RPC code of its error, and no error if the content was blocked', () => {
    const fail = (code: VideoErrorCode) => show({ status: 'failed', error: { code, message: 'no' } });
    const blocked = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['no'] };
    assert.deepEqual(fail('content_blocked'), { done: true, response: response(blocked) });
    for (const [code, name] of [
      [1, 'cancelled'],
      [3, 'upstream_rejected'],
      [4, 'generation_timeout'],
      [4, 'queue_timeout'],
      [8, 'rate_limited'],
      [13, 'internal'],
      [14, 'upstream_unavailable'],
      [14, 'model_unavailable'],
    ] as const)
      assert.deepEqual(fail(name), { done: true, error: { code, message: 'no' } });
  });
});

describe('the task id of a file', () => {
  const id = '01kf0xw3g0a1b2c3d4e5f6g7h8';
  const url = 'http://127.0.0.1:8787/prod/v1beta/files';
  for (const path of [`${id}:download`, `${id}%3Adownload`, `${url}/${id}:download`])
    test(`is in ${path}`, () => assert.equal(readFileTaskId(path), `task_${id}`));
  for (const path of [id, '', ':download', `${id}:upload`, `${id}:download/x`, `task_${id}:download`])
    test(`is not in ${JSON.stringify(path)}`, () => assert.equal(readFileTaskId(path), undefined));

  test('is in the file name of a signed URL', () => {
    const read = (value: string | undefined) =>
      readLinkedTaskId((name) => (name === 'response-content-disposition' ? value : undefined));
    assert.equal(read(`attachment; filename="task_${id}.mp4"`), `task_${id}`);
    assert.deepEqual(
      [read(`attachment; filename="task_${id}.png"`), read(undefined)],
      [undefined, undefined],
    );
  });
});
