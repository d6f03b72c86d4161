import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as files from '../../../../functions/files/domain/files.ts';

test('a file has a key under its account, and another key once it is removed', () => {
  const key = files.fileKey('acme', 'file_1');
  assert.deepEqual([key, files.removedFileKey(key)], ['files/~acme/file_1', 'removed-files/~acme/file_1']);
  assert.deepEqual(['files/~a/b', 'inputs/files/', 'removed-files/~a/b'].map(files.isFileKey), [
    true,
    false,
    false,
  ]);
});

test('files have the documented limits', () => {
  assert.deepEqual(
    [files.FILE_PURPOSES, files.MAX_INPUT_FILES, files.MAX_FILE_NAME_CHARACTERS, files.FILE_LIFETIME_SECONDS],
    [['vision', 'user_data', 'output'], 10, 255, { least: 3600, most: 2_592_000 }],
  );
  assert.deepEqual(files.UPLOAD_PURPOSES, ['vision', 'user_data']);
  assert.equal(files.FILE_EXPIRY_METADATA, 'expires-at');
  assert.equal(files.UPLOAD_LIFETIME, 900_000);
});

test('the upload of a file is over 75 minutes after its creation', () => {
  assert.equal(files.uploadEndsAt({ createdAt: 1000 }), 4_501_000);
});
