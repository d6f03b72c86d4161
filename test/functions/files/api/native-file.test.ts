import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  nativeFile,
  nativeFileList,
  readNativeFileId,
  readNativeFileQuery,
} from '../../../../functions/files/api/native-file.ts';
import { aFile } from '../../../support/builders/file.ts';

const FILE = aFile({ createdAt: Date.UTC(2026, 10, 15), expiresAt: Date.UTC(2026, 10, 17) });
const BARE = FILE.id.slice(5);

test('a file has a name without a prefix, and a URI at the base URL', () => {
  assert.deepEqual(nativeFile(FILE, 'https://api.example.com/prod'), {
    name: `files/${BARE}`,
    displayName: 'a.png',
    mimeType: 'image/png',
    sizeBytes: '400',
    createTime: '2026-11-15T00:00:00.000Z',
    updateTime: '2026-11-15T00:00:00.000Z',
    expirationTime: '2026-11-17T00:00:00.000Z',
    uri: `https://api.example.com/prod/v1beta/files/${BARE}`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  });
  const { state, sha256Hash } = nativeFile({ ...FILE, arrived: false, sha256: 'abc=' }, '');
  assert.deepEqual([state, sha256Hash], ['PROCESSING', 'abc=']);
  assert.equal(nativeFile({ ...FILE, purpose: 'output' }, '').source, 'GENERATED');
});

test('a list has a token for the next page only if there is one', () => {
  assert.equal(nativeFileList({ items: [FILE], hasMore: true }, '').nextPageToken, BARE);
  assert.equal('nextPageToken' in nativeFileList({ items: [FILE], hasMore: false }, ''), false);
  assert.deepEqual(nativeFileList({ items: [], hasMore: false }, ''), { files: [] });
});

test('a file is found by its name, its id and a whole URL', () => {
  for (const path of [BARE, FILE.id, `http://127.0.0.1:8787/prod/v1beta/files/${BARE}`])
    assert.equal(readNativeFileId(path), FILE.id);
});

test('a page has 10 files by default, 100 at most, newest first', () => {
  const read = (query: Readonly<Record<string, string>>) => readNativeFileQuery((name) => query[name]);
  const page = { newestFirst: true, after: undefined };
  assert.deepEqual(read({}), { ...page, limit: 10 });
  assert.deepEqual(read({ pageSize: '100', pageToken: BARE }), { ...page, limit: 100, after: FILE.id });
  assert.equal(read({ pageToken: '' }).after, undefined);
  for (const pageSize of ['0', '101', '-1', '1.5', 'x', ''])
    assert.throws(() => read({ pageSize }), { param: 'pageSize', message: /from 1 to 100/ });
  for (const pageToken of ['x', FILE.id, `${BARE}0`])
    assert.throws(() => read({ pageToken }), { param: 'pageToken', message: /nextPageToken/ });
});
