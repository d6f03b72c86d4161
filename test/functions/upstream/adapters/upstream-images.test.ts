import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAnswer } from '../../../../functions/upstream/adapters/upstream-images.ts';

const picture = (data: string, more: object = {}) => ({
  inlineData: { mimeType: 'image/jpeg', data },
  ...more,
});
const answerOf = (...parts: object[]) => ({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });

const imageOf = (received: unknown): string => {
  const answer = readAnswer(received);
  return answer.outcome === 'image' ? answer.image.base64 : `none: ${answer.reason}`;
};

describe("the image of the upstream's answer", () => {
  const FOUND = [
    ['the only one', answerOf({ text: 'Here' }, picture('final'))],
    ['the last one', answerOf(picture('first'), { text: 'Better' }, picture('final'), { text: 'Done' })],
    ['no draft, even if drafts come last', answerOf(picture('final'), picture('draft', { thought: true }))],
    ['no sound', answerOf(picture('final'), { inlineData: { mimeType: 'audio/wav', data: 'sound' } })],
  ] as const;
  for (const [title, received] of FOUND) test(`is ${title}`, () => assert.equal(imageOf(received), 'final'));

  test('comes with the words that are no thoughts, and the counts', () => {
    const answer = readAnswer({
      ...answerOf({ text: 'Hm.', thought: true }, { text: 'Here ' }, picture('final'), { text: 'it is.' }),
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

  test('tells how many tokens of the prompt are images, and passes the whole answer on', () => {
    const promptTokensDetails = [
      { modality: 'TEXT', tokenCount: 9 },
      { modality: 'IMAGE', tokenCount: 258 },
      { modality: 'IMAGE' },
      { modality: 'IMAGE', tokenCount: 2 },
    ];
    const received = { ...answerOf(picture('final')), usageMetadata: { promptTokensDetails }, other: 1 };
    const answer = readAnswer(received);
    assert.ok(answer.outcome === 'image');
    assert.deepEqual([answer.promptImageTokens, answer.document], [260, received]);
  });

  const NONE = [
    ['The prompt was blocked: SAFETY', { promptFeedback: { blockReason: 'SAFETY' } }],
    [
      'The prompt was blocked: No.',
      { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'No.' }, ...answerOf(picture('final')) },
    ],
    [
      'The generator made no image: IMAGE_SAFETY. Sorry.',
      { candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY', finishMessage: 'Sorry.' }] },
    ],
    ['The generator made no image: NO_IMAGE', { candidates: [{ finishReason: 'NO_IMAGE' }] }],
    ['The generator answered without an image: I cannot.', answerOf({ text: 'I cannot.' })],
    ['The generator made no image.', answerOf(picture('draft', { thought: true }))],
    ['The generator made no image.', {}],
  ] as const;
  for (const [reason, received] of NONE)
    test(`is missing with the reason "${reason}"`, () => assert.equal(imageOf(received), `none: ${reason}`));

  for (const received of [
    null,
    [],
    'text',
    { candidates: {} },
    { candidates: [{ content: { parts: [7] } }] },
  ])
    test(`cannot be read from ${JSON.stringify(received)}, and is not asked for again`, () =>
      assert.throws(() => readAnswer(received), { name: 'UpstreamError', fault: 'unanswered' }));
});
