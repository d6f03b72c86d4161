import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAnswer } from '../../../../functions/upstream/adapters/image-format.ts';
import { imagePart, textPart } from '../../../../functions/upstream/domain/image-request.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { answeringClient, readBody } from './answering-client.ts';

const picture = (data: string, more: object = {}) => ({
  inlineData: { mimeType: 'image/jpeg', data },
  ...more,
});
const answerWith = (...parts: object[]) => ({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });

const readImage = (received: unknown): string => {
  const answer = readAnswer(received);
  return answer.outcome === 'image' ? answer.image.base64 : `none: ${answer.reason}`;
};

describe('the image of a response', () => {
  const FOUND = [
    ['the only one', answerWith({ text: 'Here' }, picture('final'))],
    ['the last one', answerWith(picture('first'), { text: 'Better' }, picture('final'), { text: 'Done' })],
    ['no draft, even if drafts come last', answerWith(picture('final'), picture('draft', { thought: true }))],
    ['no sound', answerWith(picture('final'), { inlineData: { mimeType: 'audio/wav', data: 'sound' } })],
  ] as const;
  for (const [title, received] of FOUND)
    test(`is ${title}`, () => assert.equal(readImage(received), 'final'));

  test('comes with the text without thoughts, and the token counts', () => {
    const answer = readAnswer({
      ...answerWith({ text: 'Hm.', thought: true }, { text: 'Here ' }, picture('final'), { text: 'it is.' }),
      usageMetadata: {
        promptTokenCount: 3,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 7,
        totalTokenCount: 15,
      },
    });
    assert.ok(answer.outcome === 'image');
    assert.equal(answer.text, 'Here it is.');
    assert.deepEqual(answer.tokens, { prompt: 3, output: 12, total: 15 });
  });

  for (const [finishReason, cutShort] of [
    ['MAX_TOKENS', true],
    ['STOP', false],
    [undefined, false],
  ] as const)
    test(`is ${cutShort ? '' : 'not '}cut short after ${finishReason}`, () => {
      const answer = readAnswer({ candidates: [{ content: { parts: [picture('final')] }, finishReason }] });
      assert.ok(answer.outcome === 'image');
      assert.deepEqual(
        [answer.cutShort, answer.image, answer.tokens],
        [cutShort, { mimeType: 'image/jpeg', base64: 'final' }, { prompt: 0, output: 0, total: 0 }],
      );
    });

  test('comes with the image tokens of the prompt and the whole response', () => {
    const promptTokensDetails = [
      { modality: 'TEXT', tokenCount: 9 },
      { modality: 'IMAGE', tokenCount: 258 },
      { modality: 'IMAGE' },
      { modality: 'IMAGE', tokenCount: 2 },
    ];
    const received = { ...answerWith(picture('final')), usageMetadata: { promptTokensDetails }, other: 1 };
    const answer = readAnswer(received);
    assert.ok(answer.outcome === 'image');
    assert.deepEqual([answer.promptImageTokens, answer.document], [260, received]);
  });

  const NONE = [
    ['The prompt was blocked: SAFETY', { promptFeedback: { blockReason: 'SAFETY' } }],
    [
      'The prompt was blocked: No.',
      {
        promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'No.' },
        ...answerWith(picture('final')),
      },
    ],
    [
      'The generator made no image: IMAGE_SAFETY. Sorry.',
      { candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY', finishMessage: 'Sorry.' }] },
    ],
    ['The generator made no image: NO_IMAGE', { candidates: [{ finishReason: 'NO_IMAGE' }] }],
    ['The generator answered without an image: I cannot.', answerWith({ text: 'I cannot.' })],
    ['The generator made no image.', answerWith(picture('draft', { thought: true }))],
    ['The generator made no image.', {}],
  ] as const;
  for (const [reason, received] of NONE)
    test(`is missing with the reason "${reason}"`, () =>
      assert.equal(readImage(received), `none: ${reason}`));

  for (const received of [null, [], { candidates: {} }, { candidates: [{ content: { parts: [7] } }] }])
    test(`is not retried after the unreadable response ${JSON.stringify(received)}`, () =>
      assert.throws(() => readAnswer(received), { name: 'UpstreamError', fault: 'unanswered' }));
});

describe('a request for an image', () => {
  const generate = async (change: Partial<typeof IMAGE_REQUEST>) => {
    // An image has more than a megabyte.
    const { client, sent } = answeringClient([Response.json(answerWith(picture('A'.repeat(2_000_000))))]);
    await client.images.generate({ ...IMAGE_REQUEST, ...change }, { timeoutMs: 5000 });
    const [call = assert.fail()] = sent;
    return { url: call.url, body: await readBody(call) };
  };

  test('has turns, instructions, settings and sizes in the form that the upstream expects', async () => {
    const picture = imagePart({ bytes: Uint8Array.of(1), mimeType: 'image/png' as const });
    const { url, body } = await generate({
      turns: [{ role: 'user', parts: [textPart('A fox'), { ...picture, signature: 'signed' }] }],
      systemInstruction: 'Be brief.',
      safetySettings: [{ category: 'C', threshold: 'T' }],
      config: { aspectRatio: '1:1', imageSize: undefined },
      sampling: { temperature: 0, topP: 0.5, seed: 0 },
    });
    assert.equal(
      url,
      'https://upstream.test/base/v1beta/models/image-3.1-flash-image-preview:generateContent',
    );
    assert.deepEqual(body, {
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'A fox' },
            { inlineData: { mimeType: 'image/png', data: 'AQ==' }, thoughtSignature: 'signed' },
          ],
        },
      ],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      safetySettings: [{ category: 'C', threshold: 'T' }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        temperature: 0,
        topP: 0.5,
        seed: 0,
        imageConfig: { aspectRatio: '1:1' },
      },
    });
  });

  for (const [config, imageConfig] of [
    [{ aspectRatio: undefined, imageSize: undefined }, undefined],
    [{ aspectRatio: undefined, imageSize: '2K' }, { imageSize: '2K' }],
  ] as const)
    test(`for the size ${config.imageSize} has the configuration ${JSON.stringify(imageConfig)}`, async () => {
      const { body } = await generate({ config });
      assert.deepEqual(Object(body).generationConfig.imageConfig, imageConfig);
    });
});
