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

test('refused files fit the document', async () => {
  await fits(400, { method: 'POST', path: FILES, json: {} });
  await fits(400, { method: 'GET', path: FILES, at: `${FILES}?purpose=x` });
  await fits(415, { method: 'POST', path: FILES, body: 'x', headers: { 'content-type': 'text/plain' } });
  await fits(401, { method: 'POST', path: FILES, json: {} }, '');
});
