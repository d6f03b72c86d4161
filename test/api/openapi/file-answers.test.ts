import { test } from 'node:test';
import { fitting } from '../../functions/openapi/support/requests.ts';
import { readUpload, send } from '../../support/files.ts';
import { file, PNG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = fitting(service);

const FILES = '/v1/files';
const FILE = `${FILES}/{file_id}`;
const CONTENT = `${FILE}/content`;
const of = (path: string, id: string) => ({ path, at: path.replace('{file_id}', id) });

test('files fit the document, from their creation to their end', async () => {
  const body = new FormData();
  body.append('file', file(PNG, 'a.png', 'image/png'));
  body.append('purpose', 'vision');
  const stored = JSON.parse((await fits(200, { method: 'POST', path: FILES, body })).text);
  const json = { filename: 'b.png', bytes: PNG.length, mime_type: 'image/png', purpose: 'user_data' };
  const offered = JSON.parse((await fits(200, { method: 'POST', path: FILES, json })).text);
  await fits(200, { method: 'GET', path: FILES, at: `${FILES}?limit=1` });
  await fits(200, { method: 'GET', ...of(FILE, offered.id) });
  await fits(409, { method: 'GET', ...of(CONTENT, offered.id) });
  await send(readUpload(offered), PNG);
  await fits(302, { method: 'GET', ...of(CONTENT, offered.id) });
  for (const { id } of [stored, offered]) await fits(200, { method: 'DELETE', ...of(FILE, id) });
  for (const [method, path] of [
    ['GET', FILE],
    ['DELETE', FILE],
    ['GET', CONTENT],
  ] as const)
    await fits(404, { method, ...of(path, stored.id) });
});

const UPLOAD = '/upload/v1beta/files';
const NATIVE_FILES = '/v1beta/files';
const NATIVE_FILE = `${NATIVE_FILES}/{file}`;
const RESUMABLE = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' };

test('files in the native format fit the document', async () => {
  const json = { file: { displayName: 'a.png', sizeBytes: PNG.length } };
  const started = await fits(200, { method: 'POST', path: UPLOAD, headers: RESUMABLE, json });
  const at = (started.headers.get('x-goog-upload-url') ?? '').replace(service.baseUrl, '');
  const send = (status: number, command: string, offset: number, bytes: Buffer) =>
    fits(status, {
      method: 'POST',
      path: UPLOAD,
      at,
      headers: { 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) },
      body: new Blob([new Uint8Array(bytes)]),
    });
  await send(200, 'upload', 0, PNG.subarray(0, 20));
  await send(400, 'upload', 5, PNG);
  const { file } = JSON.parse((await send(200, 'upload, finalize', 20, PNG.subarray(20))).text);
  const one = { path: NATIVE_FILE, at: `/v1beta/${file.name}` };
  await fits(200, { method: 'GET', ...one });
  await fits(200, { method: 'GET', path: NATIVE_FILES, at: `${NATIVE_FILES}?pageSize=1` });
  await fits(200, { method: 'DELETE', ...one });
  for (const method of ['GET', 'DELETE']) await fits(404, { method, ...one });
  await send(404, 'query', 0, PNG);
});

test('refused files in the native format fit the document', async () => {
  await fits(400, { method: 'POST', path: UPLOAD, json: {} });
  await fits(400, { method: 'GET', path: NATIVE_FILES, at: `${NATIVE_FILES}?pageSize=0` });
  await fits(401, { method: 'POST', path: UPLOAD, headers: RESUMABLE, json: {} }, '');
});

test('refused files fit the document', async () => {
  await fits(400, { method: 'POST', path: FILES, json: {} });
  await fits(400, { method: 'GET', path: FILES, at: `${FILES}?purpose=x` });
  await fits(415, { method: 'POST', path: FILES, body: 'x', headers: { 'content-type': 'text/plain' } });
  await fits(401, { method: 'POST', path: FILES, json: {} }, '');
});
