import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../../functions/images/api/read-chat-request.ts';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import {
  isTooDeep,
  readJsonBody,
  readJsonContent,
  readOptionalJson,
} from '../../../../functions/platform/body/json-body.ts';
import { readBody, readFormBody } from '../../../../functions/platform/body/request-body.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { readVideoDraft } from '../../../../functions/videos/api/read-video-request.ts';
import { MODEL } from '../../../support/http.ts';
import { dataUri, imageKind, PNG } from '../../../support/images.ts';
import { FORM_TYPE, malformedForms } from '../../../support/malformed-forms.ts';

const create = (input_reference: unknown) =>
  readVideoDraft({ model: MODEL, prompt: 'a fox', input_reference }).data;
const rejected = (param: string | null, message: RegExp) => (error: unknown) =>
  error instanceof DomainError &&
  error.rule.http === 400 &&
  error.param === param &&
  message.test(error.message);

const nested = (depth: number): unknown => {
  let value: unknown = 'data:image/png;base64,AAAA';
  for (let level = 0; level < depth; level += 1) value = { image_url: { url: value } };
  return value;
};

describe('an image URL', () => {
  const DATA_URL = dataUri(PNG, 'image/png');

  test('is accepted as a text, and in one or two objects', () => {
    for (const form of [DATA_URL, { image_url: DATA_URL }, { image_url: { url: DATA_URL } }])
      assert.equal(imageKind(create(form).firstFrame), 'image/png', JSON.stringify(form).slice(0, 30));
  });

  test('is rejected in more objects, and unless it is a text', () => {
    const urls = [1, [DATA_URL], null, undefined, ...[1, 2, 100_000].map(nested)];
    for (const url of urls)
      assert.throws(
        () => create({ image_url: { url } }),
        rejected('input_reference.image_url.url', /string|required/),
      );
  });
});

describe('a JSON body', () => {
  const array = (depth: number): string => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  test('is accepted up to a depth of 100', () => {
    assert.ok(readJsonBody(array(99)));
    assert.throws(() => readJsonBody(array(100)), rejected(null, /too deep/));
  });
  for (const [body, message] of [
    [' \n', /is empty/],
    ['{', /not valid JSON/],
    ['[]', /must be a JSON object/],
    ['\ufeff{}', /byte order mark/],
    [Buffer.from('\ufeff{}'), /byte order mark/],
    [Buffer.from([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
  ] as const)
    test(`is rejected if it is ${JSON.stringify(body)}`, () =>
      assert.throws(() => readJsonBody(body), rejected(null, message)));
  test('has a content type, unless it may be absent', () => {
    assert.deepEqual({ ...readJsonContent('Application/JSON ; charset=utf-8', '{"a":1}') }, { a: 1 });
    assert.deepEqual(readOptionalJson(undefined, ''), {});
    for (const type of [undefined, 'text/plain; application/json'])
      assert.throws(() => readOptionalJson(type, '{}'), { code: 'unsupported_media_type' });
  });
});

for (const head of [
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; filename="fox.png"\r\nContent-Type: image/png',
  'Content-Disposition: form-data; name=""',
])
  test(`a form part without a name is rejected: ${JSON.stringify(head)}`, async () => {
    const body = Buffer.from(`--b\r\n${head}\r\n\r\nx\r\n--b--\r\n`);
    await assert.rejects(readBody('multipart/form-data; boundary=b', body), rejected(null, /name/));
  });

describe('a form', () => {
  const read = (...parts: readonly (readonly [name: string, value: string, file?: string | undefined])[]) => {
    const form = parts.map(
      ([name, value, filename]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n${value}\r\n`,
    );
    return readBody('multipart/form-data; boundary=b', Buffer.from(`${form.join('')}--b--\r\n`));
  };
  const many = (count: number, filename?: string) =>
    Array.from({ length: count }, (_, index) => [`a${index}`, '1', filename] as const);

  test('has metadata as JSON, as fields, or both', async () => {
    const readMetadata = async (name: string, text: string) =>
      Object(await read(['prompt', 'x'], [name, text])).metadata;
    assert.deepEqual({ ...(await readMetadata('metadata', '{"a":1}')) }, { a: 1 });
    assert.deepEqual({ ...(await readMetadata('metadata[b]', '2')) }, { b: '2' });
    await assert.rejects(read(['metadata', '[1]']), rejected('metadata', /must hold a JSON object/));
  });

  test('has at most 100 fields of 8 MB, and 10 files of 20 MB with their names', async () => {
    const [field, file] = ['x'.repeat(8_000_000), 'y'.repeat(20_000_000)];
    const parts = await read(['a', field], ['b', file, 'b.png']);
    assert.deepEqual({ ...parts }, { a: field, b: new FilePart(Buffer.from(file), 'b.png') });
    await assert.rejects(read(['a', `${field}x`]), rejected(null, /'a' is longer than 8000000 bytes/));
    await assert.rejects(read(['b', `${file}y`, 'b.png']), rejected(null, /'b' is longer than 20 MB/));
    assert.equal(Object.keys(await read(...many(100))).length, 100);
    await assert.rejects(read(...many(101)), rejected(null, /more than 100 fields/));
    assert.equal(Object.keys(await read(...many(10, 'a.png'))).length, 10);
    await assert.rejects(read(...many(11, 'a.png')), rejected(null, /more than 10 files/));
  });

  test('is rejected if it is empty, has no fields, 111 parts, no boundary, or a long name', async () => {
    const type = 'multipart/form-data; boundary=b';
    for (const [contentType, body, message] of [
      [type, '', /is empty/],
      [type, '--b--\r\n', /has no fields/],
      [type, `${'--b\r\nA: b\r\n\r\nx\r\n'.repeat(111)}--b--\r\n`, /more than 110 parts/],
      ['multipart/form-data', 'x', /no usable boundary/],
    ] as const)
      await assert.rejects(readFormBody(contentType, Buffer.from(body)), rejected(null, message));
    await assert.rejects(read(['a'.repeat(2000), '1']), rejected(null, /longer than \d+ characters/));
  });
});

describe('a list of a million items is rejected before its items are read', () => {
  const items = new Array(1_000_000).fill(1);
  const text = { role: 'user', content: 'a fox' };
  for (const [param, read] of [
    ['messages', () => readChatRequest({ model: IMAGE_MODEL, messages: items })],
    [
      'messages[1].content',
      () => readChatRequest({ model: IMAGE_MODEL, messages: [text, { ...text, content: items }] }),
    ],
    ['contents[0].parts', () => readNativeRequest(IMAGE_MODEL, { contents: [{ parts: items }] })],
    ['reference_images', () => readVideoDraft({ model: MODEL, prompt: 'a fox', reference_images: items })],
  ] as const)
    test(`in ${param}`, () =>
      assert.throws(read, rejected(param, /must be a list of at most \d+ items, but 1000000 were sent/)));
});

const nextForm = malformedForms(20_261_116);

/** An uncaught exception would end the function on Lambda. */
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
before(() => process.on('uncaughtException', note));
after(() => process.off('uncaughtException', note));

test('1,000 malformed forms are accepted or rejected with 400, without an uncaught exception', async () => {
  let rejections = 0;
  for (let count = 0; count < 1000; count += 1) {
    const form = nextForm();
    try {
      await readFormBody(FORM_TYPE, form);
    } catch (error) {
      assert.ok(error instanceof DomainError && error.rule.http === 400, form.toString());
      rejections += 1;
    }
    await nextTurn();
    assert.deepEqual(uncaught, [], form.toString());
  }
  assert.ok(rejections > 500, String(rejections));
});

test('JSON may have 100 levels, whatever its strings contain', () => {
  const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  for (const text of ['', '[[', '\\\\', '\\"', '\\\\\\"[']) {
    const results = [99, 100].map((levels) => isTooDeep(`["${text}",${nest(levels)}]`));
    assert.deepEqual(results, [false, true], text);
  }
});
