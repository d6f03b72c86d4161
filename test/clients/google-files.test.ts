import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createPartFromUri, type File as GoogleFile, GoogleGenAI } from '@google/genai';
import { GoogleGenAI as GoogleGenAI2 } from 'google-genai-2';
import { call, HELD_BACK, MODEL } from '../support/http.ts';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../support/images/pictures.ts';
import { JPEG, largePng, PNG } from '../support/images.ts';
import { putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = await openSharedService();
const account = `google-${randomUUID()}`;
const service = { ...shared, account, apiKey: await shared.issueKey(account) };
const client = (apiKey = service.apiKey) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: service.baseUrl } });
const folder = await temporaryFolder('google-files');

const upload = (bytes: Buffer, type = 'image/png', displayName = 'first') =>
  client().files.upload({ file: new Blob([new Uint8Array(bytes)], { type }), config: { displayName } });
const readName = ({ name }: GoogleFile): string => name ?? assert.fail('no name');
const readUri = ({ uri }: GoogleFile): string => uri ?? assert.fail('no URI');

const NAME = /^files\/[0-9a-z]{26}$/;

describe('@google/genai', { concurrency: 4 }, () => {
  test('uploads a file, which is active at once', async () => {
    const file = await upload(PNG);
    assert.match(readName(file), NAME);
    const { createTime, updateTime, expirationTime, ...rest } = file;
    assert.deepEqual(rest, {
      name: file.name,
      displayName: 'first',
      mimeType: 'image/png',
      sizeBytes: String(PNG.length),
      sha256Hash: createHash('sha256').update(PNG).digest('base64'),
      uri: `${service.baseUrl}/v1beta/${file.name}`,
      state: 'ACTIVE',
      source: 'UPLOADED',
    });
    assert.equal(Date.parse(expirationTime ?? '') - Date.parse(createTime ?? ''), 48 * 60 * 60 * 1000);
    assert.equal(updateTime, createTime);
    assert.deepEqual(await client().files.get({ name: readName(file) }), file);
  });

  test('uploads and reads a file with version 2 as with version 3', async () => {
    const options = { apiKey: service.apiKey, httpOptions: { baseUrl: service.baseUrl } };
    const { files } = new GoogleGenAI2(options);
    const file = await files.upload({ file: new Blob([new Uint8Array(PNG)], { type: 'image/png' }) });
    const name = file.name ?? assert.fail('no name');
    assert.deepEqual(await client().files.get({ name }), await files.get({ name }));
  });

  test('downloads a generated video by its name', async () => {
    const video = { prompt: 'a quiet harbour', createdAt: Date.now(), bytes: wholeMp4() };
    const id = await putVideo(shared, service.account, video);
    const downloadPath = join(folder, 'video.mp4');
    await client().files.download({ file: `files/${id.slice('task_'.length)}`, downloadPath });
    assert.ok(Buffer.from(wholeMp4()).equals(await readFile(downloadPath)));
  });

  test('throws its own error for a wrong key', async () => {
    const wrong = { name: 'ApiError', status: 401, message: /UNAUTHENTICATED/ };
    await assert.rejects(client('mg_wrong').files.list(), wrong);
    await assert.rejects(client('mg_wrong').files.get({ name: 'files/none' }), wrong);
    await assert.rejects(client('mg_wrong').files.delete({ name: 'files/none' }), wrong);
    const file = new Blob([new Uint8Array(PNG)], { type: 'image/png' });
    await assert.rejects(client('mg_wrong').files.upload({ file }), wrong);
  });

  test('uploads a file from a path, with its name', async () => {
    const path = join(folder, 'a photo.jpg');
    await writeFile(path, JPEG);
    const { displayName, mimeType } = await client().files.upload({ file: path });
    assert.deepEqual([displayName, mimeType], ['a photo.jpg', 'image/jpeg']);
  });

  test('uploads a file of 4.4 MB in one request, unchanged', async () => {
    const bytes = largePng(4_600_000);
    const file = await upload(bytes);
    assert.equal(file.sha256Hash, createHash('sha256').update(bytes).digest('base64'));
    const id = readName(file).replace('files/', 'file_');
    const { headers } = await call(service, 'GET', `/v1/files/${id}/content`);
    const stored = await fetch(headers.get('location') ?? '');
    assert.ok(bytes.equals(Buffer.from(await stored.arrayBuffer())));
  });

  test('learns before it sends 9 MB how to upload them instead', async () => {
    await assert.rejects(upload(largePng(9_000_000)), { status: 413, message: /POST \/v1\/files, PUT/ });
  });

  test('uses a file by its URI and by its name in an image', async () => {
    const file = await upload(PNG);
    for (const uri of [readUri(file), readName(file)]) {
      const { candidates } = await client().models.generateContent({
        model: IMAGE_MODEL,
        contents: [createPartFromUri(uri, 'image/png'), 'Make it blue'],
        config: { imageConfig: { aspectRatio: '1:1', imageSize: '512' } },
      });
      const [part] = candidates?.[0]?.content?.parts?.filter(({ inlineData }) => inlineData) ?? [];
      assert.equal(describePicture(part?.inlineData?.data), expectedPicture('1:1', '512'));
    }
  });

  test('uses a file by its URI in a video', async () => {
    const image = { fileUri: readUri(await upload(JPEG, 'image/jpeg')) };
    const json = { instances: [{ prompt: HELD_BACK, image }] };
    const created = await call(service, 'POST', `/v1/models/${MODEL}:predictLongRunning`, { json });
    const id = String(created.body.name).split('/').at(-1);
    const { body } = await call(service, 'GET', `/v1/videos/${id}?include[]=request`);
    const [input] = Object(body.request).inputs;
    assert.deepEqual([input.role, input.mime_type], ['first_frame', 'image/jpeg']);
  });

  test('lists its files page by page, newest first', async () => {
    const other = client(await shared.issueKey(`google-${randomUUID()}`));
    const names: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const file = new Blob([new Uint8Array(PNG)], { type: 'image/png' });
      names.unshift(readName(await other.files.upload({ file })));
    }
    const listed: string[] = [];
    for await (const file of await other.files.list({ config: { pageSize: 2 } })) listed.push(readName(file));
    assert.deepEqual(listed, names);
  });

  test('deletes a file', async () => {
    const name = readName(await upload(PNG));
    await client().files.delete({ name });
    const gone = { status: 404, message: /NOT_FOUND/ };
    await assert.rejects(client().files.get({ name }), gone);
    await assert.rejects(client().files.delete({ name }), gone);
  });

  test('cannot choose the name of a file', async () => {
    const file = new Blob([new Uint8Array(PNG)], { type: 'image/png' });
    const named = client().files.upload({ file, config: { name: 'mine' } });
    await assert.rejects(named, { status: 400, message: /file\.name is not supported/ });
  });
});
