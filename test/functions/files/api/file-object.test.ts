import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deletedFileObject,
  fileList,
  fileObject,
  fileObjectWithUpload,
  readFileQuery,
} from '../../../../functions/files/api/file-object.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const FILE: StoredFile = {
  id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'acme',
  name: 'fox.png',
  bytes: 7,
  mimeType: 'image/png',
  purpose: 'vision',
  createdAt: 5_999,
  expiresAt: 9_999,
  arrived: true,
};
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
  const output = {
    kept: false,
    name: null,
    model: 'image-3.1-flash-image-preview',
    prompt: 'A fox',
    size: '1024x1024',
    keyId: 'key_1',
    durationMs: 9200,
    amount: '0.07',
    currency: 'USD',
  };
  const { keyId, durationMs, amount, currency, ...request } = output;
  const made = { ...request, duration_ms: durationMs, api_key_id: keyId, charge: { amount, currency } };
  const shown = { ...SHOWN, purpose: 'output', ...made };
  assert.deepEqual(fileObject({ ...FILE, purpose: 'output', output }), { ...shown, user_id: null });
  const personal = { ...output, personId: 'user_1' };
  assert.deepEqual(fileObject({ ...FILE, purpose: 'output', output: personal }), {
    ...shown,
    user_id: 'user_1',
  });
});

test('a page of files says where the next one begins', () => {
  const list = { object: 'list', data: [SHOWN], first_id: FILE.id, last_id: FILE.id, has_more: false };
  assert.deepEqual(fileList({ files: [FILE], hasMore: false }), list);
  assert.deepEqual(fileList({ files: [FILE], hasMore: true, resumeAfter: 'file_2' }), {
    ...list,
    last_id: 'file_2',
    has_more: true,
  });
  assert.deepEqual(fileList({ files: [], hasMore: false }), {
    ...list,
    data: [],
    first_id: null,
    last_id: null,
  });
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
  assert.deepEqual(read(`limit=1&order=asc&after=${FILE.id}`), {
    limit: 1,
    newestFirst: false,
    after: FILE.id,
  });
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
  for (const [name, value] of [
    ['limit', '0'],
    ['limit', '10001'],
    ['limit', '100000'],
    ['limit', 'x1'],
    ['limit', '1x'],
    ['order', 'up'],
    ['after', 'task_1'],
    ['purpose', 'batch'],
    ['model', 'sora-2'],
    ['api_key_id', 'x'],
    ['kept', 'yes'],
    ['user_id', 'x'],
    ['created_after', 'x'],
    ['created_before', 'x'],
  ] as const)
    refusesField(() => read(`${name}=${value}`), name, new RegExp(`^${name} must be`));
});
