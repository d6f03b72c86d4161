import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoadedInput } from '../../../../../functions/upstream/domain/video-generator.ts';
import { interactionsClient } from '../../../../../functions/upstream/kinds/interactions/adapter.ts';
import {
  readInteraction,
  withoutTags,
} from '../../../../../functions/upstream/kinds/interactions/interaction-format.ts';
import type { TaskRequest } from '../../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../../support/builders/task.ts';
import { credentialFrom } from '../../adapters/answering-client.ts';
import { readJson, startRecorder } from '../../adapters/recording-server.ts';
import { json } from '../../adapters/upstream-answers.ts';

const MODEL = 'gemini-omni-1.2-flash';
const modelName = () => MODEL;

const OPTIONS = {
  name: 'omni',
  location: 'global',
  keyHeader: 'x-goog-api-key',
  credential: credentialFrom(async () => 'secret'),
  token: { read: async () => 'token', renew: async () => false },
  modelName,
  fetch,
};

const geminiAt = (url: string) => interactionsClient({ ...OPTIONS, baseUrl: url }).videos(20_000);
const IN_PROJECT = { ...OPTIONS, project: 'acme', storageUri: 'gs://videos/' };
const vertexAt = (url: string) =>
  interactionsClient({ ...IN_PROJECT, baseUrl: url, storageBaseUrl: url }).videos(20_000);

const STARTED = { id: 'v1_abc-DEF_1', status: 'in_progress', object: 'interaction', model: MODEL };
const input = (role: LoadedInput['role'], byte: number): LoadedInput => ({
  role,
  mimeType: 'image/png',
  bytes: Uint8Array.of(byte),
});
const image = (data: string) => ({ type: 'image', data, mime_type: 'image/png' });

describe('a request for an interaction', () => {
  const submit = async (
    change: Partial<TaskRequest>,
    inputs: readonly LoadedInput[],
    createAt = geminiAt,
  ) => {
    await using server = await startRecorder(json(200, STARTED));
    const request = { ...aTask().request, ...change };
    assert.equal(await createAt(server.url).submit(request, inputs, 'key'), STARTED.id);
    return server.only();
  };
  const format = { type: 'video', delivery: 'uri', aspect_ratio: '16:9', resolution: '720p', duration: '6s' };
  const body = (task: string, text: string, ...images: readonly object[]) => ({
    model: MODEL,
    input: [...images, { type: 'text', text }],
    background: true,
    generation_config: { video_config: { task } },
    response_format: format,
  });

  test('goes to the Gemini API with its key', async () => {
    const { line, headers } = await submit({}, []);
    assert.deepEqual([line, headers['x-goog-api-key']], ['POST /v1beta/interactions', 'secret']);
  });

  test('goes to the project at Vertex AI with a token, and names the bucket', async () => {
    const recorded = await submit({}, [], vertexAt);
    assert.deepEqual(
      [recorded.line, recorded.authorization],
      ['POST /v1beta1/projects/acme/locations/global/interactions', 'Bearer token'],
    );
    assert.deepEqual(readJson(recorded), {
      ...body('text_to_video', 'a lighthouse'),
      response_format: { ...format, gcs_uri: 'gs://videos/' },
    });
  });

  for (const [mode, inputs, expected] of [
    ['text', [], body('text_to_video', 'a lighthouse')],
    [
      'first_frame',
      [input('first_frame', 1)],
      body('image_to_video', '<FIRST_FRAME> a lighthouse', image('AQ==')),
    ],
    [
      'first_and_last_frame',
      // In another order than their tags.
      [input('last_frame', 2), input('first_frame', 1)],
      body('image_to_video', '<FIRST_FRAME> <LAST_FRAME> a lighthouse', image('AQ=='), image('Ag==')),
    ],
    [
      'references',
      [input('reference', 1), input('reference', 2)],
      body(
        'reference_to_video',
        '[# References <IMAGE_REF_0>@Image1 <IMAGE_REF_1>@Image2] a lighthouse Use the given image(s) as references for video generation. The images should not be used as literal initial frames.',
        image('AQ=='),
        image('Ag=='),
      ),
    ],
  ] as const)
    test(`gives images their roles by tags in the mode ${mode}`, async () =>
      assert.deepEqual(readJson(await submit({ mode }, inputs)), expected));

  test('without a prompt has the tag alone', async () =>
    assert.deepEqual(
      readJson(await submit({ mode: 'first_frame', prompt: '' }, [input('first_frame', 1)])),
      body('image_to_video', '<FIRST_FRAME>', image('AQ==')),
    ));
});

describe('a tag in the prompt of a client', () => {
  for (const [prompt, sent] of [
    ['<LAST_FRAME> waves', '‹LAST_FRAME› waves'],
    ['< first_frame >', '‹ first_frame ›'],
    ['＜IMAGE_REF_0＞ ⟨VIDEO_1⟩ 〈X〉', '‹IMAGE_REF_0› ‹VIDEO_1› ‹X›'],
    ['[# References <IMAGE_REF_0>@Image9]', '(# References ‹IMAGE_REF_0›@Image9]'],
    ['[ \n# Sources]', '( \n# Sources]'],
    ['［＃ Sources］', '(＃ Sources］'],
    ['a [red] box, 3 < 4', 'a [red] box, 3 ‹ 4'],
  ] as const)
    test(`is no tag any more: ${prompt}`, () => assert.equal(withoutTags(prompt), sent));

  test('is replaced in linear time', () => {
    const long = '[ '.repeat(16_000);
    assert.equal(withoutTags(long), long);
  });
});

describe('the state of an interaction', () => {
  const check = async (answer: object, status = 200) => {
    await using server = await startRecorder(json(status, answer));
    const state = await geminiAt(server.url).check(STARTED.id);
    return { state, line: server.only().line };
  };
  const text = (text: string) => ({ type: 'text', text });
  const output = (...content: readonly object[]) => ({ type: 'model_output', content });
  const video = (uri: string) => ({ type: 'video', mime_type: 'video/mp4', uri });
  const asked = { type: 'user_input', content: [image('A'.repeat(2_000_000)), text('x')] };

  for (const status of ['queued', 'in_progress', 'something_new'])
    test(`is pending while it is ${status}`, async () =>
      assert.deepEqual(await check({ ...STARTED, status }), {
        state: { state: 'pending' },
        line: `GET /v1beta/interactions/${STARTED.id}`,
      }));

  test('is done with the last video, beyond input images and thoughts of any size', async () => {
    const { state } = await check({
      ...STARTED,
      status: 'completed',
      steps: [
        asked,
        { type: 'thought', signature: 'S'.repeat(2_000_000) },
        output(video('https://files.test/1'), video('https://files.test/2')),
      ],
    });
    assert.deepEqual(state, { state: 'done', source: { kind: 'address', uri: 'https://files.test/2' } });
  });

  const [OVER, BLOCKED] = ['upstream_unavailable', 'content_blocked'];
  const ASKED_FOR_MORE = 'The generator asked for more instead of making a video.';
  for (const [status, details, code, message] of [
    ['failed', { error: { code: 'internal', message: 'Oh.' } }, OVER, 'Oh.'],
    ['failed', { error: { code: 'invalid_request', message: 'No.' } }, 'upstream_rejected', 'No.'],
    ['failed', { errors: [{ code: 'resource_exhausted', message: 'Full.' }] }, 'rate_limited', 'Full.'],
    ['failed', { error: 7 }, OVER, 'The generator failed.'],
    ['cancelled', {}, OVER, 'The generator cancelled the video.'],
    ['incomplete', {}, OVER, 'The generator did not finish the video.'],
    ['budget_exceeded', {}, OVER, 'The budget of the generator is used up.'],
    ['requires_action', {}, OVER, ASKED_FOR_MORE],
    ['requires_continuation', {}, OVER, ASKED_FOR_MORE],
    [
      'completed',
      { steps: [output({ type: 'video' })] },
      OVER,
      'The generator did not say where the video is.',
    ],
    ['completed', { steps: [output(text(' I '), text(' '), text('refuse.')), asked] }, BLOCKED, 'I refuse.'],
    ['completed', { steps: [asked] }, BLOCKED, 'The generator made no video of this request.'],
  ] as const)
    test(`is failed if it is ${status} with ${JSON.stringify(details).slice(0, 80)}`, async () => {
      const { state } = await check({ ...STARTED, status, ...details });
      assert.deepEqual(state, { state: 'failed', error: { code, message } });
    });

  test('is asked for again after a 400, but not if the interaction is unknown', async () => {
    const refusal = (message: string) => ({ error: { code: 'invalid_request', message } });
    await assert.rejects(check(refusal('Multiple authentication credentials received.'), 400), {
      fault: 'failing',
    });
    await assert.rejects(check(refusal('Invalid interaction name.'), 400), { fault: 'rejected' });
  });

  test('is unreadable if it is larger than any request', async () => {
    const piece = Buffer.alloc(1_000_000, 'A');
    async function* huge() {
      yield Buffer.from('{"steps":[{"content":[{"data":"');
      for (let sent = 0; sent < 151; sent += 1) yield piece;
    }
    await assert.rejects(readInteraction(huge(), String), { fault: 'failing' });
  });

  test('is never asked for with an id of another upstream', async () =>
    assert.rejects(geminiAt('http://127.0.0.1:1').check('models/veo/operations/1'), { fault: 'rejected' }));
});

describe('an interaction that is over', () => {
  test('is deleted with its file, also if they are gone already', async () => {
    await using server = await startRecorder(
      json(200, {}),
      json(200, {}),
      json(404, { error: { code: 404, message: 'Gone.' } }),
      json(400, { error: { code: 'invalid_request', message: 'Invalid interaction name.' } }),
    );
    const videos = geminiAt(server.url);
    const source = { kind: 'address', uri: '/v1beta/files/abcdefghijkl:download?alt=media' } as const;
    await videos.discard?.(STARTED.id, source);
    await videos.discard?.(STARTED.id, source);
    const lines = ['DELETE /v1beta/files/abcdefghijkl', `DELETE /v1beta/interactions/${STARTED.id}`];
    const seen = server.seen.map(({ line }) => line);
    assert.deepEqual(seen, [...lines, ...lines]);
  });

  test('is cancelled when nobody waits for it', async () => {
    await using server = await startRecorder(json(200, { ...STARTED, status: 'cancelled' }));
    await geminiAt(server.url).cancel?.(STARTED.id);
    assert.equal(server.only().line, `POST /v1beta/interactions/${STARTED.id}/cancel`);
  });
});
