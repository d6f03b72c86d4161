import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 as nodeCrc32 } from 'node:zlib';
import { centralDirectory, crc32, localHeader, uniqueName } from '../../../console/library/zip-file.ts';

test('the checksum of pieces is that of the whole', () => {
  const bytes = Buffer.from('The paper boat sails down the river.');
  assert.equal(crc32(bytes.subarray(9), crc32(bytes.subarray(0, 9))), nodeCrc32(bytes));
  assert.equal(crc32(new Uint8Array(0)), 0);
});

test('names repeat with a number before the extension', () => {
  const taken = new Set<string>();
  const names = ['a.mp4', 'a.mp4', 'b', 'b', 'a.mp4', 'a-2.mp4'].map((name) => uniqueName(name, taken));
  assert.deepEqual(names, ['a.mp4', 'a-2.mp4', 'b', 'b-2', 'a-3.mp4', 'a-2-2.mp4']);
});

/** A program that reads zip files and did not write this one. */
const skip = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed';

test('a zip file contains its entries with their names, for another program', { skip }, () => {
  const files = [
    ['papier-boot-8s.mp4', Buffer.alloc(100_000, 7)],
    ['船.png', Buffer.from('picture')],
    ['empty.mp4', Buffer.alloc(0)],
  ] as const;
  const parts: Uint8Array[] = [];
  let size = 0;
  const entries = files.map(([name, bytes]) => {
    const entry = {
      name,
      crc: crc32(bytes),
      size: bytes.length,
      offset: size,
      modified: new Date(2026, 0, 15, 9, 30),
    };
    const header = localHeader(entry);
    parts.push(header, bytes);
    size += header.length + bytes.length;
    return entry;
  });
  const folder = mkdtempSync(join(tmpdir(), 'zip-'));
  try {
    const path = join(folder, 'test.zip');
    writeFileSync(path, Buffer.concat([...parts, ...centralDirectory(entries, size)]));
    const script = `import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps([[i.filename,i.file_size,list(i.date_time)] for i in z.infolist()]))`;
    const listed = JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }));
    const expected = files.map(([name, bytes]) => [name, bytes.length, [2026, 1, 15, 9, 30, 0]]);
    assert.deepEqual(listed, expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
