import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatCompletion, chatEvents } from '../../../../functions/images/api/chat-completion.ts';
import type { MadeImage } from '../../../../functions/images/domain/kept-image.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { GeneratedImage } from '../../../../functions/upstream/domain/image-request.ts';
import { GENERATED_IMAGE } from '../../../support/builders/requests.ts';

const BASE64 = 'QUJD'.repeat(50_000);
const PICTURE: GeneratedImage = {
  ...GENERATED_IMAGE,
  image: { mimeType: 'image/png', base64: BASE64 },
  text: 'A fox.',
};
const MARKDOWN = `A fox.\n\n![image](data:image/png;base64,${BASE64})`;
const ENVELOPE = { requestId: 'r', time: 5999 };

const collectEvents = async (
  outcome: MadeImage | DomainError,
  imagePlace: 'markdown' | 'list' = 'markdown',
  includeUsage = false,
) => {
  const options = { ...ENVELOPE, imagePlace, includeUsage };
  const events: string[] = [];
  for await (const event of chatEvents(Promise.resolve(outcome), options)) events.push(event);
  assert.equal(events.pop(), 'data: [DONE]\n\n');
  return events.map((event) => JSON.parse(event.replace(/^data: /, '')));
};

describe('the events of a streamed completion', () => {
  const EVENT = {
    id: 'chatcmpl-r',
    object: 'chat.completion.chunk',
    created: 5,
    model: 'image-3.1-flash-image-preview',
  };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...EVENT,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const START = chunk({ role: 'assistant', content: '' });
  const LISTED = chunk({
    images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` }, index: 0 }],
  });

  test('start with the role, continue with pieces of the message and end with the finish reason', async () => {
    const events = await collectEvents(PICTURE);
    const contents = events.slice(1, -1).map(({ choices }) => choices[0].delta.content);
    assert.deepEqual(events, [START, ...contents.map((content) => chunk({ content })), chunk({}, 'stop')]);
    assert.equal(contents.join(''), MARKDOWN);
    assert.ok(Math.max(...contents.map((content) => content.length)) <= 65_536);
  });

  test('contain the image once if the client asked for a list, after its text if it has one', async () => {
    const text = chunk({ content: 'A fox.' });
    assert.deepEqual(await collectEvents(PICTURE, 'list'), [START, text, LISTED, chunk({}, 'stop')]);
    const short = { ...PICTURE, text: '', cutShort: true };
    assert.deepEqual(await collectEvents(short, 'list'), [START, LISTED, chunk({}, 'length')]);
  });

  test('end with the file of the image, and with the usage if the client asked for it', async () => {
    const file = { account: 'a', id: 'file_1', name: 'fox.png', mimeType: 'image/png' };
    const events = await collectEvents({ ...PICTURE, file }, 'list', true);
    assert.deepEqual(events.slice(3), [
      { ...chunk({}, 'stop'), file_id: 'file_1' },
      { ...EVENT, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    ]);
  });

  test('report a failure as an error event', async () => {
    const events = await collectEvents(new DomainError('content_blocked', 'Blocked.'));
    assert.deepEqual(events.slice(1), [
      { error: { message: 'Blocked.', type: 'invalid_request_error', param: null, code: 'content_blocked' } },
    ]);
  });
});

describe('a completion that is not streamed', () => {
  test('has the image only in its markdown', () => {
    const { choices, usage, object } = chatCompletion(ENVELOPE, PICTURE, 'markdown');
    assert.equal(object, 'chat.completion');
    assert.deepEqual(choices[0]?.message, { role: 'assistant', content: MARKDOWN, refusal: null });
    assert.deepEqual(usage, { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
  });

  test('has only the text in its content if the images are a list', () => {
    const message = chatCompletion(ENVELOPE, PICTURE, 'list').choices[0]?.message;
    assert.equal(message?.content, 'A fox.');
    assert.ok(message !== undefined && 'images' in message && message.images.length === 1);
  });

  test('without text is only the image, and has the finish reason length if it was cut short', () => {
    const [choice] = chatCompletion(ENVELOPE, { ...PICTURE, text: '', cutShort: true }, 'markdown').choices;
    assert.match(choice?.message.content ?? '', /^!\[image\]/);
    assert.equal(choice?.finish_reason, 'length');
  });
});
