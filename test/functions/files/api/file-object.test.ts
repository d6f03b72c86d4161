import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deletedFileObject,
  fileObject,
  fileObjectWithUpload,
  readFileQuery,
} from '../../../../functions/files/api/file-object.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { pageObject } from '../../../../functions/platform/api/pages.ts';
import type { Page } from '../../../../functions/platform/domain/pages.ts';
import { aFile, anOutput } from '../../../support/builders/file.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const FILE = aFile({ name: 'fox.png', bytes: 7, createdAt: 5_999, expiresAt: 9_999 });
const SHOWN = {
  id: FILE.id,
  object: 'file',
  bytes: 7,
  created_at: 5,
  expires_at: 9,
  filename: 'fox.png',
  purpose: 'vision',
  status: 'processed',
};

test('a file is shown with its upload while its bytes are missing', () => {
  const waiting = { ...FILE, arrived: false };
  assert.deepEqual(fileObject(FILE), SHOWN);
  const upload = {
    url: 'https://s3.example.com/a',
    headers: { 'content-type': 'image/png' },
    expiresAt: 7_999,
  };
  assert.deepEqual(fileObjectWithUpload(waiting, upload), {
    ...SHOWN,
    status: 'uploaded',
    upload: { url: upload.url, method: 'PUT', headers: upload.headers, expires_at: 7 },
  });
  assert.deepEqual(deletedFileObject(FILE.id), { id: FILE.id, object: 'file', deleted: true });
});

test('a generated image is shown with its request and its price', () => {
  const output = anOutput();
  const { keyId, durationMs, amount, currency, ...request } = output;
  const charge = { amount, currency };
  const made = { kept: false, name: null, ...request, duration_ms: durationMs, api_key_id: keyId, charge };
  const shown = { ...SHOWN, purpose: 'output', ...made };
  assert.deepEqual(fileObject({ ...FILE, purpose: 'output', output }), { ...shown, user_id: null });
  const personal = fileObject({ ...FILE, purpose: 'output', output: { ...output, personId: 'user_1' } });
  assert.deepEqual(personal, { ...shown, user_id: 'user_1' });
});

test('a page of files says where the next one begins', () => {
  const show = (page: Page<StoredFile>) => pageObject(page, fileObject);
  const list = { object: 'list', data: [SHOWN], first_id: FILE.id, last_id: FILE.id, has_more: false };
  assert.deepEqual(show({ items: [FILE], hasMore: false }), list);
  assert.deepEqual(show({ items: [FILE], hasMore: true, resumeAfter: 'file_2' }), {
    ...list,
    last_id: 'file_2',
    has_more: true,
  });
  assert.deepEqual(show({ items: [], hasMore: false }), { ...list, data: [], first_id: null, last_id: null });
});

test('files are listed by purpose, model, maker and time', () => {
  const read = (text: string) => readFileQuery(toQuery(text).query);
  const ALL = { limit: 10_000, newestFirst: true, after: undefined };
  const [key, person] = [`key_${'a'.repeat(16)}`, `user_${'b'.repeat(32)}`];
  const NO_FILTER = {
    purpose: undefined,
    model: undefined,
    keyId: undefined,
    personId: undefined,
    kept: undefined,
    createdFrom: undefined,
    createdBefore: undefined,
  };
  assert.deepEqual(read(''), ALL);
  const next = { limit: 1, newestFirst: false, after: FILE.id };
  assert.deepEqual(read(`limit=1&order=asc&after=${FILE.id}`), next);
  assert.deepEqual(read('limit=10000&order=desc'), ALL);
  for (const [text, filter] of [
    ['purpose=output', { purpose: 'output' }],
    ['purpose=user_data', { purpose: 'user_data' }],
    ['model=image-3.1-flash-image-preview', { model: 'image-3.1-flash-image-preview' }],
    [`api_key_id=${key}`, { keyId: key }],
    ['kept=true', { kept: true }],
    [`user_id=${person}`, { personId: person }],
    ['created_after=5', { createdFrom: 5_000 }],
    ['created_before=6', { createdBefore: 6_000 }],
  ] as const)
    assert.deepEqual(read(text), { ...ALL, filter: { ...NO_FILTER, ...filter } });
  for (const [name, ...values] of [
    ['limit', '0', '10001', '100000', 'x1', '1x'],
    ['order', 'up'],
    ['after', 'task_1'],
    ['purpose', 'batch'],
    ['model', 'sora-2'],
    ['kept', 'yes'],
    ...['api_key_id', 'user_id', 'created_after', 'created_before'].map((each) => [each, 'x'] as const),
  ] as const)
    for (const value of values)
      refusesField(() => read(`${name}=${value}`), name, new RegExp(`^${name} must be`));
});
