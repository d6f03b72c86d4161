import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { fileKey } from '../../functions/files/domain/file-keys.ts';
import { call, HELD_BACK, listInputs, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, EDITS, NATIVE, post } from '../support/images/requests.ts';
import { JPEG, largePng, PNG, SVG, WEBP } from '../support/images.ts';
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

const FRAMES = ['first_frame image/jpeg', 'last_frame image/png'];
const REFERENCES = ['reference image/jpeg', 'reference image/png', 'reference image/webp'];
const file = (file_id: string | undefined) => ({ file_id });

describe('a file is taken', { concurrency: 2 }, () => {
  test('in JSON', async () => {
    const fields = { input_reference: { image_url: { url: jpegId } }, lastFrame: file(pngId) };
    assert.deepEqual(await listInputs(service, readId(await create(fields))), FRAMES);
    const style = await call(service, 'POST', '/v1/video/generations', {
      json: { model: MODEL, prompt: HELD_BACK, metadata: fields },
    });
    assert.deepEqual(await listInputs(service, readId(style)), FRAMES);
  });

  test('in a form', async () => {
    const given = [jpegId, pngId, webpId].map((id) => ['reference_images[][file_id]', String(id)] as const);
    assert.deepEqual(await listInputs(service, readId(await createByForm(given))), REFERENCES);
  });

  test('natively', async () => {
    const instance = { image: { gcsUri: `files/${jpegId}` }, lastFrame: { fileId: pngId } };
    const { body } = await createNatively(instance);
    assert.deepEqual(await listInputs(service, String(body.name).split('/').at(-1) ?? ''), FRAMES);
  });
});

describe('a file is refused', { concurrency: 2 }, () => {
  const REFUSED: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    ["that is another account's", () => putFile(service, `${account}-other`, PNG), /: file not found\.$/],
    ['that has expired', () => putFile(service, account, PNG, Date.now() - 1), /: file not found\.$/],
    ['that is text', () => putFile(service, account, SVG), /: the file is not an image of an accepted/],
    [
      'that makes the request too large',
      () => putFile(service, account, largePng(15_000_000)),
      /too large: they are 15\.1 MB together, but a request may have at most 14\.7 MB of images\.$/,
    ],
  ];
  const EDIT = (id: string) => ({ model: IMAGE_MODEL, prompt: 'A fox', image: [file(id)] });
  for (const [title, makeFile, message] of REFUSED)
    test(title, async () => {
      const id = await makeFile();
      const refusal = await create({ input_reference: file(id) });
      assert.deepEqual([refusal.status, readError(refusal).param], [400, 'input_reference.file_id']);
      assert.match(readError(refusal).message, message);
      const image = await post(service, EDITS, bearer(service.apiKey), EDIT(id));
      assert.equal(image.status, 400, JSON.stringify(image.body));
      assert.match(image.body.error.message, message);
    });

  test('by the name of its field, whatever that is', async () => {
    const lastFrame = { image_url: { url: 'file_none' } };
    const video = await create({ input_reference: file(pngId), metadata: { lastFrame } });
    assert.equal(readError(video).param, 'metadata.lastFrame.image_url.url');
    const native = await createNatively({ image: { gcsUri: 'files/file_none' } });
    assert.equal(Object(native.body.error).message, 'instances[0].image.gcsUri: file not found.');
    const IMAGES = [
      [
        NATIVE,
        { contents: [{ parts: [{ fileData: { fileUri: 'files/file_none' } }] }] },
        'contents[0].parts[0].fileData.fileUri',
      ],
      [
        CHAT,
        {
          model: IMAGE_MODEL,
          messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file_none' } }] }],
        },
        'messages[0].content[0].image_url.url',
      ],
      [
        EDITS,
        { model: IMAGE_MODEL, prompt: 'A fox', image: [file(pngId), file('file_none')] },
        'image[1].file_id',
      ],
    ] as const;
    for (const [path, body, param] of IMAGES) {
      const { error } = (await post(service, path, bearer(service.apiKey), body)).body;
      assert.equal(error.message, `${param}: file not found.`);
    }
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
