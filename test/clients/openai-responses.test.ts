import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { responseEventSchema } from '../../functions/responses/api/response-events.ts';
import { type ResponseObject, responseSchema } from '../../functions/responses/api/response-object.ts';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../support/images/pictures.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const openai = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.apiKey, maxRetries: 0 });

const TOOL = { type: 'image_generation' } as const;

/** The SDK adds `output_text`; everything else has the types of the SDK and of our document. */
const check = ({ output_text: _, ...response }: Response): ResponseObject => responseSchema.parse(response);

const pictureIn = (response: Response): string => {
  const { output } = check(response);
  const [item] = output;
  assert.ok(typeof item?.result === 'string');
  return describePicture(item.result);
};

const callId = ({ output: [item] }: Response): string => item?.id ?? assert.fail('no image');

describe('openai responses', () => {
  test('generates an image with any model and the tool, whose options the response repeats', async () => {
    const response = await openai.responses.create({
      model: 'gpt-5.5',
      input: 'A fox in the snow',
      tools: [{ ...TOOL, size: '1536x1024', output_format: 'webp', quality: 'high' }],
      metadata: { chat: 'a' },
    });
    assert.equal(pictureIn(response), 'image/webp 1264x848');
    assert.partialDeepStrictEqual(check(response), {
      status: 'completed',
      error: null,
      metadata: { chat: 'a' },
      tools: [{ ...TOOL, size: '1536x1024', output_format: 'webp', quality: 'high' }],
      output: [{ status: 'completed', action: 'generate', output_format: 'webp', size: '1264x848' }],
    });
    const { usage } = response;
    assert.equal(usage?.total_tokens, (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
    assert.equal(response.tool_usage?.image_gen.output_tokens, usage?.output_tokens);
  });

  test('streams the events of an image in their order', async () => {
    const stream = await openai.responses.create({
      model: IMAGE_MODEL,
      input: 'A fox in the snow',
      tools: [{ ...TOOL, partial_images: 2 }],
      stream: true,
    });
    const events: ResponseStreamEvent[] = await Array.fromAsync(stream);
    for (const event of events) responseEventSchema.parse(event);
    assert.deepEqual(
      events.map(({ type, sequence_number }) => [sequence_number, type]),
      [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.image_generation_call.in_progress',
        'response.image_generation_call.generating',
        'response.image_generation_call.partial_image',
        'response.image_generation_call.completed',
        'response.output_item.done',
        'response.completed',
      ].map((type, position) => [position, type]),
    );
    const last = events.at(-1);
    assert.ok(last?.type === 'response.completed');
    assert.equal(pictureIn({ ...last.response, output_text: '' }), expectedPicture('1:1', '1K'));
    const stored = await openai.responses.retrieve(last.response.id);
    assert.deepEqual(check(stored), last.response);
  });

  test('ends a stream with response.failed if there is no image', async () => {
    const stream = await openai.responses.create({
      model: IMAGE_MODEL,
      input: 'A fox [sample: blocked]',
      stream: true,
    });
    const events = await Array.fromAsync(stream);
    const last = events.at(-1);
    assert.ok(last?.type === 'response.failed');
    assert.equal(last.response.error?.code, 'image_content_policy_violation');
    assert.deepEqual(last.response.output, []);
  });

  test('continues with the image of the previous response, by its id or that of its image', async () => {
    const first = await openai.responses.create({ model: IMAGE_MODEL, input: 'A fox' });
    const second = await openai.responses.create({
      model: IMAGE_MODEL,
      input: 'Make it night',
      previous_response_id: first.id,
    });
    assert.partialDeepStrictEqual(check(second), {
      previous_response_id: first.id,
      output: [{ action: 'edit' }],
    });
    const third = await openai.responses.create({
      model: IMAGE_MODEL,
      input: [
        { type: 'item_reference', id: callId(second) },
        { role: 'user', content: [{ type: 'input_text', text: 'Make it day' }] },
      ],
    });
    assert.partialDeepStrictEqual(check(third), { output: [{ action: 'edit' }] });
    const fileId = callId(third).replace('ig_', 'file_');
    const file = await openai.files.retrieve(fileId);
    assert.equal(file.id, fileId);
  });

  test('edits an image of the request', async () => {
    const response = await openai.responses.create({
      model: 'gpt-image-2',
      input: [
        { role: 'system', content: 'Paint in oil' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Make it night' },
            { type: 'input_image', image_url: dataUri(PNG, 'image/png'), detail: 'auto' },
          ],
        },
      ],
      tools: [{ ...TOOL, action: 'edit' }],
    });
    assert.partialDeepStrictEqual(check(response), { output: [{ action: 'edit' }] });
  });

  test('deletes a response with its image', async () => {
    const { id, ...response } = await openai.responses.create({ model: IMAGE_MODEL, input: 'A fox' });
    await openai.responses.delete(id);
    await assert.rejects(openai.responses.retrieve(id), { status: 404, code: 'not_found' });
    const fileId = String(response.output[0]?.id).replace('ig_', 'file_');
    await assert.rejects(openai.files.retrieve(fileId), { status: 404 });
  });

  test('is not found any more when the file of its image is deleted', async () => {
    const response = await openai.responses.create({ model: IMAGE_MODEL, input: 'A fox' });
    await openai.files.delete(callId(response).replace('ig_', 'file_'));
    await assert.rejects(openai.responses.retrieve(response.id), { status: 404 });
  });

  test('keeps nothing with store: false', async () => {
    const response = await openai.responses.create({ model: IMAGE_MODEL, input: 'A fox', store: false });
    assert.equal(pictureIn(response), expectedPicture('1:1', '1K'));
    await assert.rejects(openai.responses.retrieve(response.id), { status: 404 });
    await assert.rejects(openai.files.retrieve(callId(response).replace('ig_', 'file_')), { status: 404 });
  });

  test('repeats the response of an Idempotency-Key', async () => {
    const ask = (input: string) =>
      openai.responses.create(
        { model: IMAGE_MODEL, input },
        { headers: { 'idempotency-key': 'the same response' } },
      );
    const first = await ask('A fox');
    const { completed_at: _, ...again } = check(await ask('A fox'));
    assert.partialDeepStrictEqual(check(first), again);
    await assert.rejects(ask('A hare'), { status: 409, code: 'idempotency_key_reused' });
  });

  test('reports an image that the generator refuses as an error', async () => {
    const call = openai.responses.create({ model: IMAGE_MODEL, input: 'A fox [sample: blocked]' });
    await assert.rejects(call, { status: 400, code: 'content_blocked' });
  });
});
