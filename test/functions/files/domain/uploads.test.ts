import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chunkKey,
  hasEnded,
  mostBytes,
  newSecret,
  readUploadId,
  toUploadId,
} from '../../../../functions/files/domain/uploads.ts';
import { aFile } from '../../../support/builders/file.ts';

const file = aFile({ account: '../ö', expiresAt: 2000, arrived: false });
const upload = { file, secretHash: '', hasKnownLength: true, chunks: [] };

test('an upload id names the account and the file, with a secret of 192 bits', () => {
  const secret = newSecret();
  assert.equal(Buffer.from(secret, 'base64url').length, 24);
  assert.notEqual(secret, newSecret());
  const id = toUploadId({ account: file.account, id: file.id, secret });
  assert.match(id, /^[\w.-]+$/);
  assert.deepEqual(readUploadId(id), { account: file.account, id: file.id, secret });
});

test('an altered upload id names nothing', () => {
  const secret = 's'.repeat(32);
  const id = '01kf0xw3g0a1b2c3d4e5f6g7h8';
  const WRONG = [
    '',
    `${id}.${secret}`,
    `${id}.${secret}.`,
    // An empty account, one byte that is not UTF-8, padding, and bits that decoding ignores.
    `${id}.${secret}._`,
    `${id}.${secret}._w`,
    `${id}.${secret}.YWNtZQ==`,
    `${id}.${secret}.YWNtZR`,
    `${id}.${secret.slice(1)}.YWNtZQ`,
    `file_${id}.${secret}.YWNtZQ`,
    `${id}.${secret}.YWNtZQ.x`,
  ];
  for (const text of WRONG) assert.equal(readUploadId(text), undefined, text);
  assert.equal(readUploadId(`${id}.${secret}.YWNtZQ`)?.account, 'acme');
});

test('an upload is open for 15 minutes', () => {
  assert.deepEqual([hasEnded(upload, 900_999), hasEnded(upload, 901_000)], [false, true]);
});

test('an upload without a length may have 20 MB', () => {
  assert.deepEqual([mostBytes(upload), mostBytes({ ...upload, hasKnownLength: false })], [400, 20_000_000]);
});

test('a chunk has a key under its account, with its offset', () => {
  const chunk = { offset: 7, bytes: 0, sha256: '' };
  assert.equal(
    chunkKey({ ...file, account: 'acme' }, chunk),
    'uploads/~acme/file_01kf0xw3g0a1b2c3d4e5f6g7h8/7',
  );
});
