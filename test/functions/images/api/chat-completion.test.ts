import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatCompletion, chatEvents } from '../../../../functions/images/api/chat-completion.ts';
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
  outcome: GeneratedImage | DomainError,
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
  test('start with the role, continue with the message and end with the finish reason', async () => {
    const events = await collectEvents(PICTURE);
    assert.deepEqual(events[0], {
      id: 'chatcmpl-r',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'image-3.1-flash-image-preview',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
    });
    assert.equal(events.map(({ choices }) => choices[0].delta.content ?? '').join(''), MARKDOWN);
    const reasons = events.map(({ choices }) => choices[0].finish_reason).filter((reason) => reason !== null);
    assert.deepEqual(reasons, ['stop']);
  });

  test('split a large image into several events', async () => {
    const lengths = (await collectEvents(PICTURE)).map((event) => JSON.stringify(event).length);
    assert.ok(Math.max(...lengths) < 70_000);
  });

  test('contain the image once if the client asked for a list', async () => {
    const deltas = (await collectEvents(PICTURE, 'list')).map(({ choices }) => choices[0].delta);
    assert.equal(deltas.map(({ content = '' }) => content).join(''), 'A fox.');
    assert.deepEqual(
      deltas.flatMap(({ images = [] }) => images.map((image: { image_url: object }) => image.image_url)),
      [{ url: `data:image/png;base64,${BASE64}` }],
    );
  });

  test('end with the usage if the client asked for it', async () => {
    const last = (await collectEvents(PICTURE, 'markdown', true)).at(-1);
    assert.deepEqual(last.choices, []);
    assert.deepEqual(last.usage, { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
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
