import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaPath, strictSchemaErrors } from '../../functions/openapi/support/document.ts';
import type { Exchange } from '../../functions/openapi/support/exchange.ts';
import * as api from '../../functions/openapi/support/requests.ts';
import { EDITS, editBody } from '../../support/images/requests.ts';
import { file, PNG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = api.fitting(service);

describe('an image fits the document', { concurrency: 2 }, () => {
  /** The data of all events but the last, which says that there are no more. */
  const readEvents = ({ text }: Exchange): unknown[] =>
    Array.from(text.matchAll(/^data: (\{.*\})$/gm), ([, data = '']) => JSON.parse(data));

  test('in the native format', async () => {
    await fits(200, api.native(api.NATIVE, 'A fox [sample: drafts 1]'));
  });
  test('in the native format as a list', async () => {
    await fits(200, api.native(api.NATIVE_STREAM, 'A fox'));
  });
  test('in the native format as an event', async () => {
    const events = readEvents(await fits(200, api.native(api.NATIVE_STREAM, 'A fox', '?alt=sse')));
    assert.deepEqual(
      events.map((event) => strictSchemaErrors(schemaPath('NativeResponse'), event)),
      [[]],
    );
  });
  test('in the format of Imagen', async () => {
    await fits(200, api.imagen('A fox'));
    await fits(200, api.imagen('A fox [sample: blocked IMAGE_SAFETY]', { includeRaiReason: true }));
    await fits(400, api.imagen('A fox [sample: blocked IMAGE_SAFETY]'));
  });
  test('in a chat', async () => {
    await fits(200, api.chat('A fox'));
  });
  test('in a chat, beside the text', async () => {
    await fits(200, api.chat('A fox', { modalities: ['image', 'text'] }));
  });
  for (const modalities of [undefined, ['image', 'text']])
    test(`in a streamed chat with ${modalities}`, async () => {
      const options = { stream: true, modalities, stream_options: { include_usage: true } };
      const events = readEvents(await fits(200, api.chat('A fox', options)));
      assert.ok(events.length > 3);
      for (const event of events)
        assert.deepEqual(strictSchemaErrors(schemaPath('ChatCompletionChunk'), event), []);
    });
  test('in a streamed chat that fails', async () => {
    const events = readEvents(await fits(200, api.chat('A fox [sample: blocked]', { stream: true })));
    assert.deepEqual(strictSchemaErrors(schemaPath('ErrorResponse'), events.at(-1)), []);
  });

  test('of the Images API', async () => {
    await fits(200, api.generation('A fox'));
  });
  test('of the Images API, edited', async () => {
    await fits(200, { method: 'POST', path: EDITS, json: editBody('A fox') });
    const body = new FormData();
    body.set('prompt', 'A fox');
    body.append('image[]', file(PNG, 'fox.png', 'image/png'));
    await fits(200, { method: 'POST', path: EDITS, body });
  });
  test('of the Images API as an event', async () => {
    const events = readEvents(await fits(200, api.generation('A fox', { stream: true })));
    assert.deepEqual(
      events.map((event) => strictSchemaErrors(schemaPath('ImageEvent'), event)),
      [[]],
    );
  });
  test('whose conversion removed its content credentials', async () => {
    const prompt = 'A fox [sample: credentials]';
    const png = { output_format: 'png' };
    const answers = [
      await fits(200, api.generation(prompt, png)),
      await fits(200, api.imagen(prompt, { outputOptions: { mimeType: 'image/png' } })),
    ];
    for (const { headers } of answers) assert.equal(headers.get('x-content-credentials'), 'removed');
    const events = readEvents(await fits(200, api.generation(prompt, { ...png, stream: true })));
    assert.deepEqual(
      events.map((event) => strictSchemaErrors(schemaPath('ImageEvent'), event)),
      [[]],
    );
    assert.equal(Object(events[0]).content_credentials, 'removed');
  });
  test('of the Images API that fails in a stream', async () => {
    const events = readEvents(await fits(200, api.generation('A fox [sample: blocked]', { stream: true })));
    assert.deepEqual(
      events.map((event) => strictSchemaErrors(schemaPath('ErrorResponse'), event)),
      [[]],
    );
  });
});
