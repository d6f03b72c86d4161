import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ImageRequest,
  imagePart,
  textPart,
} from '../../../../../functions/upstream/domain/image-request.ts';
import { openRouterImages } from '../../../../../functions/upstream/kinds/openrouter/adapter.ts';
import { IMAGE_REQUEST } from '../../../../support/builders/requests.ts';
import { credentialFrom } from '../../adapters/answering-client.ts';
import { readJson, startRecorder } from '../../adapters/recording-server.ts';
import { json } from '../../adapters/upstream-answers.ts';
import { OPENROUTER_CHAT } from '../../recorded/openrouter.ts';

const imagesAt = (url: string) =>
  openRouterImages({
    baseUrl: `${url}/api/v1`,
    credential: credentialFrom(async () => 'secret'),
    modelName: () => 'google/gemini-3.1-flash-image',
    fetch,
  });

const [CHOICE] = OPENROUTER_CHAT.choices;

describe('a request for an image at OpenRouter', () => {
  const send = async (change: Partial<ImageRequest>) => {
    await using server = await startRecorder(json(200, OPENROUTER_CHAT));
    await imagesAt(server.url).generate({ ...IMAGE_REQUEST, ...change }, { timeoutMs: 20_000 });
    return server.only();
  };
  const PICTURE = imagePart({ bytes: Uint8Array.of(1), mimeType: 'image/webp' as const });
  const FOX = { role: 'user', content: [{ type: 'text', text: 'A fox' }] };

  test('is a chat that asks for an image', async () => {
    const recorded = await send({ config: { aspectRatio: undefined, imageSize: undefined } });
    assert.deepEqual(
      [recorded.line, recorded.authorization],
      ['POST /api/v1/chat/completions', 'Bearer secret'],
    );
    assert.deepEqual(readJson(recorded), {
      model: 'google/gemini-3.1-flash-image',
      messages: [FOX],
      modalities: ['image', 'text'],
      stream: false,
    });
  });

  test('has the turns, their images, the instruction and the sampling options', async () => {
    const body = readJson(
      await send({
        turns: [
          { role: 'user', parts: [textPart('A fox'), PICTURE] },
          { role: 'model', parts: [{ ...PICTURE, signature: 'signed' }] },
          { role: 'user', parts: [textPart('At night')] },
        ],
        systemInstruction: 'Be brief.',
        config: { aspectRatio: '16:9', imageSize: undefined },
        sampling: { temperature: 0, topP: 0.5, seed: 0 },
      }),
    );
    const image = { type: 'image_url', image_url: { url: 'data:image/webp;base64,AQ==' } };
    assert.deepEqual(body, {
      model: 'google/gemini-3.1-flash-image',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'A fox' }, image] },
        { role: 'assistant', content: [image] },
        { role: 'user', content: [{ type: 'text', text: 'At night' }] },
      ],
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: '16:9' },
      seed: 0,
      temperature: 0,
      top_p: 0.5,
      stream: false,
    });
  });

  test('may have a size without an aspect ratio', async () => {
    const body = readJson(await send({ config: { aspectRatio: undefined, imageSize: '2K' } }));
    assert.deepEqual(Object(body).image_config, { image_size: '2K' });
  });

  test('is never sent without its safety settings', async () => {
    await using server = await startRecorder(json(200, OPENROUTER_CHAT));
    const request = { ...IMAGE_REQUEST, safetySettings: [{ category: 'C', threshold: 'T' }] };
    await assert.rejects(imagesAt(server.url).generate(request, { timeoutMs: 20_000 }), {
      fault: 'operator',
      message: 'Chat completions have no safety settings.',
    });
    assert.equal(server.seen.length, 0);
  });
});

const generate = async (
  answer: unknown,
  status = 200,
  modalities: ImageRequest['modalities'] = ['TEXT', 'IMAGE'],
) => {
  await using server = await startRecorder(json(status, answer));
  return await imagesAt(server.url).generate({ ...IMAGE_REQUEST, modalities }, { timeoutMs: 20_000 });
};
const withChoice = (change: object) => ({ ...OPENROUTER_CHAT, choices: [{ ...CHOICE, ...change }] });
const withMessage = (change: object) => withChoice({ message: { ...CHOICE.message, ...change } });

describe('an image of OpenRouter', () => {
  const inlineData = { mimeType: 'image/jpeg', data: 'ZmluYWw=' };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 };

  test('is the last one, with its text, tokens, cost and native form', async () => {
    assert.deepEqual(await generate(OPENROUTER_CHAT), {
      outcome: 'image',
      image: { mimeType: 'image/jpeg', base64: 'ZmluYWw=' },
      text: 'Here is a fox.',
      cutShort: false,
      tokens: { prompt: 10, output: 1290, total: 1300 },
      cost: { amount: '0.06762', currency: 'USD' },
      document: {
        candidates: [
          {
            content: { role: 'model', parts: [{ text: 'Here is a fox.' }, { inlineData }] },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata,
        responseId: 'gen-1760000000-c0ffee',
      },
    });
  });

  test('has no text if the client asked for the image alone', async () => {
    const answer = await generate(OPENROUTER_CHAT, 200, ['IMAGE']);
    assert.ok(answer.outcome === 'image');
    assert.equal(answer.text, '');
    assert.deepEqual(Object(answer.document).candidates[0].content.parts, [{ inlineData }]);
  });

  test('that was cut short says so', async () => {
    const answer = await generate(withChoice({ finish_reason: 'length' }));
    assert.ok(answer.outcome === 'image');
    assert.equal(answer.cutShort, true);
    assert.equal(Object(answer.document).candidates[0].finishReason, 'MAX_TOKENS');
  });

  test('can come with text items, and without usage and id', async () => {
    const content = [{ type: 'text', text: 'Here ' }, { type: 'other' }, { type: 'text', text: 'it is.' }];
    const answer = await generate({ ...withMessage({ content }), usage: undefined, id: undefined });
    assert.ok(answer.outcome === 'image');
    assert.deepEqual(
      [answer.text, answer.tokens, answer.cost, Object.keys(answer.document)],
      ['Here it is.', { prompt: 0, output: 0, total: 0 }, undefined, ['candidates', 'usageMetadata']],
    );
  });

  for (const [reason, answer] of [
    ['The generator answered without an image: Here is a fox.', withMessage({ images: [] })],
    ['The generator made no image.', withMessage({ images: null, content: null })],
    ['The generator made no image: I cannot.', withMessage({ images: undefined, refusal: 'I cannot.' })],
    [
      'The generator made no image: IMAGE_SAFETY',
      withChoice({
        finish_reason: 'content_filter',
        native_finish_reason: 'IMAGE_SAFETY',
        message: { role: 'assistant', content: '' },
      }),
    ],
    [
      'The generator made no image: content_filter',
      withChoice({ finish_reason: 'content_filter', native_finish_reason: null, message: { content: '' } }),
    ],
  ] as const)
    test(`is missing with the reason "${reason}"`, async () =>
      assert.deepEqual(await generate(answer), { outcome: 'no_image', reason }));

  test('is missing with a reason of at most 500 characters', async () => {
    const answer = await generate(withMessage({ images: [], content: 'a'.repeat(1000) }));
    assert.ok(answer.outcome === 'no_image');
    assert.equal(answer.reason.length, 500);
  });

  for (const received of [
    {},
    { choices: [] },
    { choices: [{}] },
    { error: { code: 502, message: 'Provider returned error' } },
    withMessage({ images: [{ image_url: { url: 'https://elsewhere.test/1.png' } }] }),
    withMessage({ images: [{ image_url: { url: 'data:text/html;base64,AAAA' } }] }),
    withMessage({ images: ['x'] }),
  ])
    test(`is not tried again after the unreadable response ${JSON.stringify(received).slice(-90)}`, async () =>
      assert.rejects(generate(received), { name: 'UpstreamError', fault: 'unanswered' }));
});
