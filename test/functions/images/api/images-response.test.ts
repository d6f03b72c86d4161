import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  imageEvents,
  imageHeaders,
  imagesResponse,
  type ShownImage,
} from '../../../../functions/images/api/images-response.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { GeneratedImage } from '../../../../functions/upstream/domain/image-request.ts';
import { JPEG, PNG } from '../../../support/images.ts';

const picture = (bytes: Buffer, mimeType: string): GeneratedImage => ({
  outcome: 'image',
  image: { mimeType, base64: bytes.toString('base64') },
  text: 'A fox.',
  cutShort: false,
  tokens: { prompt: 300, output: 2, total: 302 },
  promptImageTokens: 258,
  document: {},
});
const FOX = picture(PNG, 'image/png');
const USAGE = {
  input_tokens: 300,
  output_tokens: 2,
  total_tokens: 302,
  input_tokens_details: { text_tokens: 42, image_tokens: 258 },
};
const OPTIONS = { family: 'image_edit', time: 5999, background: 'opaque' } as const;

const collectEvents = (...outcomes: readonly (ShownImage | DomainError)[]): Promise<string[]> =>
  Array.fromAsync(
    imageEvents(
      outcomes.map((outcome) => Promise.resolve(outcome)),
      OPTIONS,
    ),
  );

describe('a streamed image', () => {
  test('is a comment and one named event', async () => {
    const [comment, event = '', ...others] = await collectEvents(FOX);
    assert.deepEqual([comment, others], [': working\n\n', []]);
    const [name, data = '', ...end] = event.split('\n');
    assert.deepEqual([name, end], ['event: image_edit.completed', ['', '']]);
    assert.deepEqual(JSON.parse(data.replace(/^data: /, '')), {
      type: 'image_edit.completed',
      created_at: 5,
      b64_json: FOX.image.base64,
      output_format: 'png',
      size: '32x18',
      quality: 'auto',
      background: 'opaque',
      usage: USAGE,
    });
  });

  test('of several images has an event for each, in order', async () => {
    const file = { account: 'a', id: 'file_1', name: 'file_1.png', mimeType: 'image/png' };
    const failure = new DomainError('content_blocked', 'No.');
    const shown = { ...FOX, file, url: 'https://x.test/1', contentCredentials: 'removed' } as const;
    const events = await collectEvents(shown, failure, FOX);
    const lines = events.slice(1).map((event) => event.split('\n')[0]);
    assert.deepEqual(lines, ['event: image_edit.completed', 'event: error', 'event: image_edit.completed']);
    assert.match(events[2] ?? '', /^event: error\ndata: \{"error":\{"message":"No\.",.*\}\}\n\n$/);
    const { b64_json, url, file_id, content_credentials } = JSON.parse(events[1]?.split('\ndata: ')[1] ?? '');
    assert.deepEqual(
      [b64_json, url, file_id, content_credentials],
      [undefined, 'https://x.test/1', 'file_1', 'removed'],
    );
  });

  test('includes heartbeats while the upstream works', async () => {
    const { promise, resolve } = Promise.withResolvers<GeneratedImage>();
    const events = imageEvents([promise], OPTIONS, 5);
    for (let beat = 0; beat < 4; beat += 1) assert.equal((await events.next()).value, ': working\n\n');
    resolve(FOX);
    assert.match(String((await events.next()).value), /^event: image_edit\.completed\n/);
  });
});

describe('a response that is not streamed', () => {
  test('has the format and size of the image itself', () => {
    assert.deepEqual(imagesResponse(5999, { made: [picture(JPEG, 'image/png')], failures: [] }), {
      created: 5,
      data: [{ b64_json: JPEG.toString('base64') }],
      output_format: 'jpeg',
      size: '32x18',
      usage: USAGE,
    });
  });

  test('has all images, the sum of their tokens, and the failures', () => {
    const error = new DomainError('content_blocked', 'Blocked.');
    const made = [FOX, { ...FOX, url: 'https://x.test/2' }] as const;
    const shown = { made, failures: [{ index: 1, error }] };
    assert.deepEqual(imagesResponse(5999, shown), {
      created: 5,
      data: [{ b64_json: FOX.image.base64 }, { url: 'https://x.test/2' }],
      output_format: 'png',
      size: '32x18',
      usage: {
        input_tokens: 600,
        output_tokens: 4,
        total_tokens: 604,
        input_tokens_details: { text_tokens: 84, image_tokens: 516 },
      },
      errors: [
        {
          index: 1,
          message: 'Blocked.',
          type: 'invalid_request_error',
          param: null,
          code: 'content_blocked',
        },
      ],
    });
  });

  test('names the files of its images in a header', () => {
    const file = (id: string) => ({ ...FOX, file: { account: 'a', id, name: id, mimeType: 'image/png' } });
    assert.deepEqual(imageHeaders([file('file_1'), FOX, file('file_2')]), { 'x-file-id': 'file_1,file_2' });
    assert.deepEqual(imageHeaders([FOX]), {});
  });

  test('has a header if any of its images lost its content credentials', () => {
    const lost = { ...FOX, contentCredentials: 'removed' } as const;
    assert.deepEqual(imageHeaders([FOX, lost, lost]), { 'x-content-credentials': 'removed' });
  });

  test('uses the type that the upstream states for other formats', () => {
    const made = [picture(Buffer.from('GIF89a'), 'image/gif')] as const;
    const { output_format, size } = imagesResponse(0, { made, failures: [] });
    assert.deepEqual([output_format, size], ['gif', 'auto']);
  });
});
