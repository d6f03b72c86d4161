import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { type Body, call, MODEL, readError } from '../../support/http.ts';
import { file, JPEG, PNG, png, SVG, WEBP } from '../../support/images.ts';
import { service } from './in-process.ts';

const VALID = { model: MODEL, prompt: 'a lighthouse' };

type Refusal = {
  readonly status?: number;
  readonly param?: string | null;
  readonly code?: string;
  readonly says?: RegExp;
};

const expectRefusal = async (
  options: Parameters<typeof call>[3],
  { status = 400, param = null, code = 'invalid_request', says = /./ }: Refusal,
): Promise<void> => {
  const answer = await call(service, 'POST', '/v1/videos', options);
  const error = readError(answer);
  assert.deepEqual(
    { status: answer.status, param: error.param, code: error.code, type: error.type },
    { status, param, code, type: 'invalid_request_error' },
  );
  assert.match(error.message, says);
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w-]{8,}$/);
};

describe('a JSON field is refused by its name', () => {
  const TABLE: readonly (readonly [title: string, body: object, Refusal])[] = [
    ['no prompt', { model: MODEL }, { param: 'prompt' }],
    ['a long prompt', { ...VALID, prompt: 'é'.repeat(32_001) }, { param: 'prompt', says: /32000/ }],
    ['a duration', { ...VALID, duration: 12 }, { param: 'duration', says: /4, 6, 8/ }],
    [
      'an unknown model',
      { ...VALID, model: 'sora-1' },
      {
        param: 'model',
        status: 404,
        code: 'model_not_found',
        says: /^model must be video-3.1-generate-preview, video-3.1-fast-generate-preview, or an alias/,
      },
    ],
  ];
  for (const [title, json, refusal] of TABLE) test(title, () => expectRefusal({ json }, refusal));
});

describe('a JSON body is refused', () => {
  const send = (body: Body, refusal: Refusal = {}, type = 'application/json') =>
    expectRefusal({ body, headers: { 'content-type': type } }, refusal);
  const TABLE: readonly [string, Body, Refusal][] = [
    ['empty', '', { says: /empty/ }],
    ['cut off', '{"model":', { says: /not valid JSON/ }],
    ['an array', '[]', { says: /object/ }],
    ['a text', '"a"', { says: /object/ }],
    ['null', 'null', { says: /object/ }],
    ['with a byte order mark', `\ufeff${JSON.stringify(VALID)}`, { says: /byte order mark/ }],
    ['in invalid UTF-8', Buffer.from('{"model":"m","prompt":"\xff\xfe"}', 'latin1'), { says: /UTF-8/ }],
    [
      '100,000 levels deep where a field belongs',
      `{"model":"${MODEL}","prompt":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      { says: /too deep/ },
    ],
    ['100,000 levels deep and cut off', '['.repeat(100_000), { says: /too deep/ }],
    [
      'with __proto__ as its only fields',
      `{"__proto__":{"model":"${MODEL}","prompt":"p"}}`,
      { param: '__proto__', code: 'unknown_parameter' },
    ],
  ];
  for (const [title, body, refusal] of TABLE) test(title, () => send(body, refusal));
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'application/jsonx'])
    test(`of type ${type}`, () =>
      send(
        JSON.stringify(VALID),
        { status: 415, code: 'unsupported_media_type', says: /application\/json or multipart/ },
        type,
      ));
});

describe('a form is refused', () => {
  const form = (...entries: [string, string | File][]): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(VALID)) data.append(name, value);
    for (const [name, value] of entries) data.append(name, value);
    return data;
  };
  const pngFile = file(PNG, 'a.png', 'image/png');
  const TABLE: readonly [string, FormData, Refusal][] = [
    ['with a file where a field belongs', form(['seconds', pngFile]), { param: 'seconds' }],
    ['with a file as its size', form(['size', pngFile]), { param: 'size', says: /not a file/ }],
    [
      'with a field where a file belongs',
      form(['input_reference', 'a.png']),
      { param: 'input_reference', says: /image file/ },
    ],
    ['with metadata that is not JSON', form(['metadata', 'resolution=4k']), { param: 'metadata' }],
    [
      'with two first frames',
      form(['input_reference', pngFile], ['input_reference', pngFile]),
      { param: 'input_reference', says: /one image/ },
    ],
    ['with two prompts', form(['prompt', 'another']), { param: 'prompt' }],
    [
      'with frames and references',
      form(['input_reference', pngFile], ['reference_image', pngFile]),
      { param: 'reference_image' },
    ],
    [
      'with generateAudio inside metadata',
      form(['metadata[generateAudio]', 'true']),
      { param: 'generateAudio', code: 'INVALID_ARGUMENT' },
    ],
    [
      'with an SVG that says it is a PNG',
      form(['input_reference', file(SVG, 'a.png', 'image/png')]),
      { param: 'input_reference', code: 'invalid_image' },
    ],
    [
      'with a file of zero bytes',
      form(['input_reference', file(Buffer.alloc(0), 'a.png', 'image/png')]),
      { param: 'input_reference', code: 'invalid_image', says: /empty/ },
    ],
    [
      'with a truncated PNG',
      form(['input_reference', file(PNG.subarray(0, -12), 'a.png', 'image/png')]),
      { param: 'input_reference', code: 'invalid_image', says: /truncated/ },
    ],
    [
      'with a truncated JPEG',
      form(['input_reference', file(JPEG.subarray(0, -2), 'a.jpg', 'image/jpeg')]),
      { param: 'input_reference', code: 'invalid_image', says: /truncated/ },
    ],
    [
      'with a truncated WebP',
      form(['input_reference', file(WEBP.subarray(0, -2), 'a.webp', 'image/webp')]),
      { param: 'input_reference', code: 'invalid_image', says: /truncated/ },
    ],
    [
      'with a PNG that claims 30000 × 30000',
      form(['input_reference', file(png(4, 4, { width: 30_000, height: 30_000 }), 'a.png', 'image/png')]),
      { param: 'input_reference', code: 'invalid_image', says: /30000x30000.*8192/ },
    ],
    [
      'with 11 files',
      form(...Array.from({ length: 11 }, (): [string, File] => ['reference_images', pngFile])),
      { says: /more than 10 files/ },
    ],
    ['with a long field name', form(['n'.repeat(300), 'x']), { says: /longer than/ }],
    ['with a name nested too deep', form(['a[b][c][d][e][f][g][h]', 'x']), { says: /levels deep/ }],
  ];
  for (const [title, body, refusal] of TABLE) test(title, () => expectRefusal({ body }, refusal));

  const raw = (body: string, contentType: string, refusal: Refusal) =>
    expectRefusal({ body, headers: { 'content-type': contentType } }, refusal);
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const complete = `${part('model', MODEL)}${part('prompt', 'p')}`;
  test('with 10,000 parts', () =>
    raw(
      `${Array.from({ length: 10_000 }, (_, n) => part(`f${n}`, 'x')).join('')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      { says: /more than/ },
    ));
  test('without a boundary', () => raw(`${complete}--b--\r\n`, 'multipart/form-data', { says: /boundary/ }));
  test('without its end', () => raw(complete, 'multipart/form-data; boundary=b', { says: /truncated/ }));
  test('empty', () => raw('', 'multipart/form-data; boundary=b', { says: /empty/ }));
  test('without parts', () =>
    raw('--b--\r\n', 'multipart/form-data; boundary=b', { says: /no fields|truncated/ }));
  test('with a boundary of 5 KB that is not in the body', () =>
    raw(`${complete}--b--\r\n`, `multipart/form-data; boundary=${'x'.repeat(5000)}`, { says: /truncated/ }));
  test('by the gateway, with a boundary over the limit of all headers', async () => {
    const response = await fetch(`${service.baseUrl}/v1/videos`, {
      method: 'POST',
      body: `${complete}--b--\r\n`,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        'content-type': `multipart/form-data; boundary=${'x'.repeat(10_240)}`,
      },
    });
    assert.equal(response.status, 431);
  });
  test('with fields in invalid UTF-8', () =>
    expectRefusal(
      {
        body: Buffer.from(`${part('model', MODEL)}${part('prompt', '\xff')}--b--\r\n`, 'latin1'),
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
      { says: /UTF-8/ },
    ));
  test('with __proto__ fields only', () =>
    raw(
      `${part('__proto__[model]', MODEL)}${part('__proto__[prompt]', 'p')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      { param: '__proto__', code: 'unknown_parameter' },
    ));
});

describe('an Idempotency-Key is refused', () => {
  for (const [title, key] of [
    ['when empty', ''],
    ['when too long', 'k'.repeat(256)],
    ['with a tab', 'a\tb'],
  ] as const)
    test(title, () =>
      expectRefusal({ json: VALID, headers: { 'idempotency-key': key } }, { param: 'Idempotency-Key' }),
    );
});

test('none of the refused requests left anything behind', async () => {
  const list = await call(service, 'GET', '/v1/videos');
  assert.deepEqual(list.body.data, []);
  const s3 = new S3Client(service.cloud.clientConfig('operator'));
  const objects = await s3.send(
    new ListObjectsV2Command({ Bucket: service.cloud.bucketName('MediaBucket') }),
  );
  assert.equal(objects.KeyCount, 0);
  assert.equal(service.generator.requests().length, 0);
});
