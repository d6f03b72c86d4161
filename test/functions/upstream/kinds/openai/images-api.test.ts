import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ImageRequest,
  imagePart,
  textPart,
} from '../../../../../functions/upstream/domain/image-request.ts';
import { openAiImages } from '../../../../../functions/upstream/kinds/openai/adapter.ts';
import { IMAGE_REQUEST } from '../../../../support/builders/requests.ts';
import { JPEG, PNG, WEBP } from '../../../../support/images.ts';
import { credentialFrom } from '../../adapters/answering-client.ts';
import { readForm, readJson, startRecorder } from '../../adapters/recording-server.ts';
import { json } from '../../adapters/upstream-answers.ts';

const imagesAt = (url: string) =>
  openAiImages({
    baseUrl: `${url}/base`,
    credential: credentialFrom(async () => 'secret'),
    modelName: () => 'their-image',
    fetch,
  });

const base64 = PNG.toString('base64');
const USAGE = {
  input_tokens: 50,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  output_tokens: 50,
  total_tokens: 100,
};
/** The form of OpenAI's reference. */
const RESPONSE = { created: 1_713_833_628, data: [{ b64_json: base64 }], usage: USAGE };

const PICTURE = imagePart({ bytes: Uint8Array.of(1), mimeType: 'image/webp' as const });
const NO_SIZE = { aspectRatio: undefined, imageSize: undefined };

describe('a request of the Images API', () => {
  const send = async (change: Partial<ImageRequest>) => {
    await using server = await startRecorder(json(200, RESPONSE));
    await imagesAt(server.url).generate({ ...IMAGE_REQUEST, ...change }, { timeoutMs: 20_000 });
    return server.only();
  };

  test('with a text is JSON', async () => {
    const recorded = await send({ config: NO_SIZE });
    assert.deepEqual(
      [recorded.line, recorded.authorization],
      ['POST /base/v1/images/generations', 'Bearer secret'],
    );
    assert.deepEqual(readJson(recorded), {
      model: 'their-image',
      prompt: 'A fox',
      n: 1,
      response_format: 'b64_json',
    });
  });

  test('with images is a form with all of them', async () => {
    const recorded = await send({
      turns: [{ role: 'user', parts: [PICTURE, textPart('A fox'), PICTURE, textPart('at night')] }],
      config: { aspectRatio: '1:1', imageSize: '1K' },
    });
    assert.equal(recorded.line, 'POST /base/v1/images/edits');
    const form = [...(await readForm(recorded))].map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.type, value.size],
    );
    assert.deepEqual(form, [
      ['model', 'their-image'],
      ['prompt', 'A fox\nat night'],
      ['size', '1024x1024'],
      ['n', '1'],
      ['response_format', 'b64_json'],
      ['image[]', 'image-1.webp', 'image/webp', 1],
      ['image[]', 'image-2.webp', 'image/webp', 1],
    ]);
  });

  const [TURN] = IMAGE_REQUEST.turns;
  assert.ok(TURN !== undefined);
  const { sampling } = IMAGE_REQUEST;
  for (const [title, change] of [
    ['several turns', { turns: [TURN, { ...TURN, role: 'model' }, TURN] }],
    ['a turn of the model', { turns: [{ ...TURN, role: 'model' }] }],
    ['no turn', { turns: [] }],
    ['an instruction', { systemInstruction: 'Be brief.' }],
    ['safety settings', { safetySettings: [] }],
    ['a seed', { sampling: { ...sampling, seed: 0 } }],
    ['a temperature', { sampling: { ...sampling, temperature: 0 } }],
  ] as const satisfies readonly (readonly [string, Partial<ImageRequest>])[])
    test(`is not sent with ${title}, which it cannot express`, async () => {
      await using server = await startRecorder(json(200, RESPONSE));
      const request = { ...IMAGE_REQUEST, ...change };
      await assert.rejects(imagesAt(server.url).generate(request, { timeoutMs: 20_000 }), {
        fault: 'operator',
        message:
          'The Images API takes one prompt, without instructions, sampling options and safety settings.',
      });
      assert.equal(server.seen.length, 0);
    });
});

describe('an image of the Images API', () => {
  const generate = async (answer: unknown, status = 200) => {
    await using server = await startRecorder(json(status, answer));
    return await imagesAt(server.url).generate(IMAGE_REQUEST, { timeoutMs: 20_000 });
  };

  test('comes with its tokens and its native form', async () => {
    assert.deepEqual(await generate(RESPONSE), {
      outcome: 'image',
      image: { mimeType: 'image/png', base64 },
      text: '',
      cutShort: false,
      tokens: { prompt: 50, output: 50, total: 100 },
      promptImageTokens: 40,
      document: {
        candidates: [
          {
            content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: base64 } }] },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 50, totalTokenCount: 100 },
      },
    });
  });

  for (const [mimeType, bytes, usage] of [
    ['image/jpeg', JPEG, null],
    ['image/png', PNG, { input_tokens: 'many', input_tokens_details: [] }],
    ['image/webp', WEBP, undefined],
  ] as const)
    test(`has the type ${mimeType} of its bytes, and may have no readable usage`, async () => {
      const data = [{ b64_json: bytes.toString('base64') }];
      const answer = await generate({ data, usage, output_format: 'png' });
      assert.ok(answer.outcome === 'image');
      assert.deepEqual(
        [answer.image.mimeType, answer.tokens, answer.promptImageTokens],
        [mimeType, { prompt: 0, output: 0, total: 0 }, undefined],
      );
    });

  test('is missing if the list is empty', async () =>
    assert.deepEqual(await generate({ data: [] }), {
      outcome: 'no_image',
      reason: 'The generator made no image.',
    }));

  for (const received of [
    {},
    { data: {} },
    { data: [{ url: 'https://elsewhere.test/1.png' }] },
    { data: [{ b64_json: null }] },
    { data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] },
  ])
    test(`is not tried again after the unreadable response ${JSON.stringify(received)}`, async () =>
      assert.rejects(generate(received), { name: 'UpstreamError', fault: 'unanswered' }));
});
