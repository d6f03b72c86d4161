import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaPath, strictSchemaErrors } from '../../functions/openapi/support/document.ts';
import type { Exchange, Request } from '../../functions/openapi/support/exchange.ts';
import * as api from '../../functions/openapi/support/requests.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { EDITS, editBody } from '../../support/images/requests.ts';
import { file, PNG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = api.fitting(service);

const EDIT: Request = { method: 'POST', path: EDITS, json: editBody('A fox') };

describe('an image fits the document', { concurrency: 2 }, () => {
  for (const [form, request] of [
    ['in the native format', api.native(api.NATIVE, 'A fox [sample: drafts 1]')],
    ['in the native format as a list', api.native(api.NATIVE_STREAM, 'A fox')],
    ['in a chat', api.chat('A fox')],
    ['in a chat, beside the text', api.chat('A fox', { modalities: ['image', 'text'] })],
    ['of the Images API', api.generation('A fox')],
    ['of the Images API, edited', EDIT],
  ] as const)
    test(form, async () => {
      await fits(200, request);
    });

  test('of the Images API, edited with a form', async () => {
    const body = new FormData();
    body.set('model', IMAGE_MODEL);
    body.set('prompt', 'A fox');
    body.append('image[]', file(PNG, 'fox.png', 'image/png'));
    await fits(200, { method: 'POST', path: EDITS, body });
  });
  test('in the format of Imagen', async () => {
    await fits(200, api.imagen('A fox'));
    await fits(200, api.imagen('A fox [sample: blocked IMAGE_SAFETY]', { includeRaiReason: true }));
    await fits(400, api.imagen('A fox [sample: blocked IMAGE_SAFETY]'));
  });

  /** The data of all events but the last, which says that there are no more. */
  const readEvents = ({ text }: Exchange): unknown[] =>
    Array.from(text.matchAll(/^data: (\{.*\})$/gm), ([, data = '']) => JSON.parse(data));

  for (const [form, request, schema] of [
    ['in the native format', api.native(api.NATIVE_STREAM, 'A fox', '?alt=sse'), 'NativeResponse'],
    ['of the Images API', api.generation('A fox', { stream: true }), 'ImageEvent'],
    ['that fails', api.generation('A fox [sample: blocked]', { stream: true }), 'ErrorResponse'],
  ] as const)
    test(`as one event ${form}`, async () => {
      const [event, ...others] = readEvents(await fits(200, request));
      assert.deepEqual([strictSchemaErrors(schemaPath(schema), event), others], [[], []]);
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

  test('whose conversion removed its content credentials', async () => {
    const prompt = 'A fox [sample: credentials]';
    const png = { output_format: 'png' };
    const answers = [
      await fits(200, api.generation(prompt, png)),
      await fits(200, api.imagen(prompt, { outputOptions: { mimeType: 'image/png' } })),
    ];
    for (const { headers } of answers) assert.equal(headers.get('x-content-credentials'), 'removed');
    const [event, ...others] = readEvents(await fits(200, api.generation(prompt, { ...png, stream: true })));
    assert.deepEqual([strictSchemaErrors(schemaPath('ImageEvent'), event), others], [[], []]);
    assert.equal(Object(event).content_credentials, 'removed');
  });
});
