import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as keys from '../../../../functions/files/domain/file-keys.ts';
import * as files from '../../../../functions/files/domain/files.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { aGeneratedImage, anOutput } from '../../../support/builders/file.ts';

test('a file has a key that hides its account and id, and others for its preview and once it is removed', () => {
  const key = keys.fileKey('acme', 'file_1');
  assert.match(key, /^files\/[0-9a-hjkmnp-tv-z]{32}$/);
  const others = [keys.removedFileKey(key), keys.previewKey(key)];
  assert.deepEqual(others, [`removed-${key}`, key.replace('files', 'previews')]);
  assert.equal(new Set([key, keys.fileKey('acme', 'file_2'), keys.fileKey('acmefile_1', '')]).size, 3);
  assert.deepEqual(['files/a', 'inputs/files/', 'removed-files/a'].map(keys.isFileKey), [true, false, false]);
});

test('the upload of a file is over 75 minutes after its creation', () => {
  assert.equal(files.uploadEndsAt({ createdAt: 1000 }), 4_501_000);
});

test('a filter selects files by whether they are kept, purpose, model and maker', () => {
  const file = aGeneratedImage({ expiresAt: NEVER, output: anOutput({ model: 'm', personId: 'user_1' }) });
  const { output: _, ...upload } = { ...file, purpose: 'vision', expiresAt: 2 } as const;
  const matches = (filter: files.FileFilter) => [file, upload].map((each) => files.matchesFile(each, filter));
  const CASES: readonly (readonly [filter: files.FileFilter, ofImage: boolean, ofUpload: boolean])[] = [
    [{}, true, true],
    [{ kept: true }, true, false],
    [{ kept: false }, false, true],
    [{ purpose: 'output' }, true, false],
    [{ purpose: 'vision' }, false, true],
    [{ model: 'm' }, true, false],
    [{ model: 'x' }, false, false],
    [{ keyId: 'key_1' }, true, false],
    [{ keyId: 'x' }, false, false],
    [{ personId: 'user_1' }, true, false],
    [{ personId: 'x' }, false, false],
  ];
  for (const [filter, ...expected] of CASES)
    assert.deepEqual(matches(filter), expected, JSON.stringify(filter));
});
