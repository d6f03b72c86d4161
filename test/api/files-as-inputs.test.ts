import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { fileKey } from '../../functions/files/domain/file-keys.ts';
import { call, HELD_BACK, listInputs, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, EDITS, NATIVE, post } from '../support/images/requests.ts';
import { dataUri, JPEG, largePng, PNG, png, SVG, WEBP } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';
import { putFile, removeFile } from '../support/stored-files.ts';

const service = await openSharedService();
const { account } = service;
const s3 = new S3Client(service.operator);
const [jpegId, pngId, webpId] = await Promise.all(
  [JPEG, PNG, WEBP].map((bytes) => putFile(service, account, bytes)),
);

const create = (fields: object, headers = {}) =>
  call(service, 'POST', '/v1/videos', { json: { model: MODEL, prompt: HELD_BACK, ...fields }, headers });
const createByForm = (fields: readonly (readonly [string, string])[]) => {
  const form = new FormData();
  for (const [name, value] of [['model', MODEL], ['prompt', HELD_BACK], ...fields] as const)
    form.append(name, value);
  return call(service, 'POST', '/v1/videos', { body: form });
};
const createNatively = (instance: object) =>
  call(service, 'POST', `/v1beta/models/${MODEL}:predictLongRunning`, {
    json: { instances: [{ prompt: HELD_BACK, ...instance }] },
  });

const FIRST = ['first_frame image/jpeg'];
const FRAMES = [...FIRST, 'last_frame image/png'];
const REFERENCES = ['reference image/jpeg', 'reference image/png', 'reference image/webp'];
const file = (file_id: string | undefined) => ({ file_id });

describe('a file is taken', { concurrency: 2 }, () => {
  const JSON_FORMS: readonly (readonly [object, readonly string[]])[] = [
    [{ input_reference: file(jpegId) }, FIRST],
    [{ input_reference: { file_id: `files/${jpegId}` } }, FIRST],
    [{ input_reference: { image_url: jpegId } }, FIRST],
    [{ input_reference: { image_url: { url: jpegId } } }, FIRST],
    [{ image: jpegId }, FIRST],
    [{ metadata: { input_reference: file(jpegId) } }, FIRST],
    [{ input_reference: file(jpegId), lastFrame: file(pngId) }, FRAMES],
    [{ input_reference: dataUri(JPEG, 'image/jpeg'), last_frame: file(pngId) }, FRAMES],
    [{ reference_images: [file(jpegId), file(pngId), file(webpId)] }, REFERENCES],
    [
      {
        metadata: {
          referenceImages: [jpegId, pngId, webpId].map((fileId) => ({
            image: { fileId },
            referenceType: 'asset',
          })),
        },
      },
      REFERENCES,
    ],
  ];
  for (const [fields, expected] of JSON_FORMS)
    test(`in JSON as ${JSON.stringify(fields)
      .replaceAll(/file_\w{8,}/g, 'file_…')
      .slice(0, 90)}`, async () => {
      assert.deepEqual(await listInputs(service, readId(await create(fields))), expected);
      const style = await call(service, 'POST', '/v1/video/generations', {
        json: { model: MODEL, prompt: HELD_BACK, ...fields },
      });
      assert.deepEqual(await listInputs(service, readId(style)), expected);
    });

  const FORMS: readonly (readonly [readonly (readonly [string, string | undefined])[], readonly string[]])[] =
    [
      [[['input_reference[file_id]', jpegId]], FIRST],
      [
        [
          ['input_reference[file_id]', jpegId],
          ['last_frame[file_id]', pngId],
        ],
        FRAMES,
      ],
      [
        [
          ['reference_images[][file_id]', jpegId],
          ['reference_images[][file_id]', pngId],
          ['reference_images[][file_id]', webpId],
        ],
        REFERENCES,
      ],
      [[['metadata', JSON.stringify({ input_reference: file(jpegId) })]], FIRST],
    ];
  for (const [fields, expected] of FORMS)
    test(`in a form as ${fields.map(([name]) => name).join(', ')}`, async () => {
      const given = fields.map(([name, value]) => [name, value ?? ''] as const);
      assert.deepEqual(await listInputs(service, readId(await createByForm(given))), expected);
    });

  const NATIVE: readonly (readonly [object, readonly string[]])[] = [
    [{ image: { gcsUri: `files/${jpegId}` } }, FIRST],
    [{ image: { fileUri: jpegId, mimeType: 'image/png' } }, FIRST],
    [{ image: { file_data: { file_uri: `files/${jpegId}` } }, lastFrame: { fileId: pngId } }, FRAMES],
  ];
  for (const [instance, expected] of NATIVE)
    test(`natively as ${JSON.stringify(instance).replaceAll(/file_\w{8,}/g, 'file_…')}`, async () => {
      const { body } = await createNatively(instance);
      assert.deepEqual(await listInputs(service, String(body.name).split('/').at(-1) ?? ''), expected);
    });
});

/** Stored when they are first needed. */
const once = (bytes: number): (() => Promise<string>) => {
  let stored: Promise<string> | undefined;
  return () => {
    stored ??= putFile(service, account, largePng(bytes));
    return stored;
  };
};
const [putTooLong, putTooLarge] = [once(20_000_000), once(15_000_000)];

describe('a file is refused', { concurrency: 2 }, () => {
  const put = (bytes: Uint8Array, owner = account, expiresAt?: number) =>
    putFile(service, owner, bytes, expiresAt);
  const NOT_FOUND = /^input_reference\.file_id: file not found\.$/;
  const REFUSED: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    ['that never was', async () => 'file_none', NOT_FOUND],
    ["that is another account's", () => put(PNG, `${account}-other`), NOT_FOUND],
    ['that has expired', () => put(PNG, account, Date.now() - 1), NOT_FOUND],
    ['that is text', () => put(SVG), /^input_reference\.file_id: the file is not an image of an accepted/],
    ['that is empty', () => put(Buffer.alloc(0)), /^input_reference\.file_id: the file is empty\.$/],
    [
      'that claims 30000 × 30000',
      () => put(png(1, 1, { width: 30_000, height: 30_000 })),
      /the file is 30000x30000; at most 8192 pixels a side are accepted\.$/,
    ],
    ['of more than 20 MB', putTooLong, /the file has 20\.1 MB; at most 20 MB are accepted/],
    [
      'that makes the request too large',
      putTooLarge,
      /too large: together they have 15\.1 MB, but a request may have at most 14\.7 MB of images\.$/,
    ],
  ];
  for (const [title, makeFile, message] of REFUSED)
    test(title, async () => {
      const refusal = await create({ input_reference: file(await makeFile()) });
      assert.equal(refusal.status, 400);
      assert.match(readError(refusal).message, message);
      assert.equal(readError(refusal).param, 'input_reference.file_id');
    });

  test('by the name of its field, whatever that is', async () => {
    const none = { file_id: 'file_none' };
    const places: readonly (readonly [string, object])[] = [
      ['image.file_id', { image: none }],
      [
        'metadata.lastFrame.image_url.url',
        {
          input_reference: file(pngId),
          metadata: { lastFrame: { image_url: { url: 'file_none' } } },
        },
      ],
      [
        'referenceImages[1].image.fileId',
        {
          prompt: 'file_none',
          referenceImages: [{ image: file(pngId) }, { image: { fileId: 'file_none' } }],
        },
      ],
    ];
    for (const [param, fields] of places) assert.equal(readError(await create(fields)).param, param);
    const native = await createNatively({ image: { gcsUri: 'files/file_none' } });
    const { message } = Object(native.body.error);
    assert.equal(message, 'instances[0].image.gcsUri: file not found.');
  });

  test('in no form that could name another key', async () => {
    for (const id of [
      '',
      'file_',
      '../x',
      'file_a/../b',
      'files/files/file_a',
      'file_ü',
      7,
      null,
      ['file_a'],
    ])
      assert.equal((await create({ input_reference: { file_id: id } })).status, 400, String(id));
  });
});

describe('a file of a request for an image is refused', { concurrency: 2 }, () => {
  const ask: readonly (readonly [string, string, (id: string) => object])[] = [
    [
      'contents[0].parts[0].fileData.fileUri',
      NATIVE,
      (id) => ({ contents: [{ parts: [{ fileData: { fileUri: `files/${id}` } }] }] }),
    ],
    [
      'messages[0].content[0].image_url.url',
      CHAT,
      (url) => ({
        model: IMAGE_MODEL,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      }),
    ],
    ['image[1].file_id', EDITS, (id) => ({ prompt: 'A fox', image: [file(pngId), file(id)] })],
  ];
  const REFUSED: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    ['not found', async () => 'file_none', /: file not found\.$/],
    ["another's", () => putFile(service, `${account}-other`, PNG), /: file not found\.$/],
    ['expired', () => putFile(service, account, PNG, Date.now()), /: file not found\.$/],
    ['text', () => putFile(service, account, SVG), /: the file is not an image of an accepted type/],
    ['truncated', () => putFile(service, account, PNG.subarray(0, 50)), /: the file is truncated\.$/],
    ['too long', putTooLong, /: the file has 20\.1 MB/],
    ['too large', putTooLarge, /at most 14\.7 MB of images\.$/],
  ];
  for (const [param, path, body] of ask)
    for (const [title, makeFile, expected] of REFUSED)
      test(`at ${param} where it is ${title}`, async () => {
        const answer = await post(service, path, bearer(service.apiKey), body(await makeFile()));
        assert.equal(answer.status, 400, JSON.stringify(answer.body));
        const { message } = answer.body.error;
        assert.match(message, expected);
        // The sum is of all files, and the first is named.
        assert.ok(title === 'too large' || message.startsWith(param), message);
      });

  test('where there are more than 10', async () => {
    const parts = Array.from({ length: 11 }, (_, count) => ({ fileData: { fileUri: `file_${count}` } }));
    const { status, body } = await post(service, NATIVE, bearer(service.apiKey), { contents: [{ parts }] });
    assert.deepEqual(
      [status, body.error.message],
      [400, 'At most 10 files are accepted in a request, but 11 were named.'],
    );
  });
});

describe('a task whose input is a file', { concurrency: 2 }, () => {
  const has = (Key: string): Promise<boolean> =>
    s3.send(new HeadObjectCommand({ Bucket: service.mediaBucket, Key })).then(
      () => true,
      () => false,
    );

  test('leaves it where it is when it ends and when it is deleted', async () => {
    const fileId = await putFile(service, account, JPEG);
    const input = { seconds: 4, input_reference: file(fileId) };
    const other = readId(await create({ ...input, prompt: 'refused [sample: error 400]' }));
    const one = readId(await create({ ...input, prompt: 'a quiet harbour' }));
    assert.equal((await waitFor(service, one)).body.status, 'completed');
    assert.equal((await waitFor(service, other)).body.status, 'failed');
    assert.equal((await call(service, 'DELETE', `/v1/videos/${one}`)).status, 200);
    assert.equal(await has(fileKey(account, fileId)), true);
  });

  test('completes where the file was removed before its turn', async () => {
    const fileId = await putFile(service, account, JPEG);
    const prompt = 'a late turn [sample: error 429 retry 3s]';
    const id = readId(await create({ prompt, seconds: 4, input_reference: file(fileId) }));
    await removeFile(service, account, fileId);
    assert.equal((await waitFor(service, id)).body.status, 'completed');
  });

  test('is the same for the same Idempotency-Key, even after its file has gone', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const fileId = await putFile(service, account, JPEG);
    const fields = { input_reference: file(fileId) };
    const first = readId(await create(fields, headers));
    await removeFile(service, account, fileId);
    assert.equal(readId(await create(fields, headers)), first);
    const other = await create({ input_reference: file(pngId) }, headers);
    assert.equal(readError(other).code, 'idempotency_key_reused');
  });
});
