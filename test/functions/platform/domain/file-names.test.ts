import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentDisposition, readableFileName } from '../../../../functions/platform/domain/file-names.ts';

const video = (words: string): string =>
  readableFileName(words, { id: 'task_1', facts: ['8s', '1080p'], extension: 'mp4' });

const NAMES = [
  ['A paper boat', 'a-paper-boat-8s-1080p.mp4'],
  ['  “Crème brûlée”, 4K!  ', 'creme-brulee-4k-8s-1080p.mp4'],
  ['vie\u0323\u0302t', 'viet-8s-1080p.mp4'],
  ['紙の船が川を下る', '紙の船が川を下る-8s-1080p.mp4'],
  ['../../etc/passwd\r\nSet-Cookie: a=b', 'etc-passwd-set-cookie-a-b-8s-1080p.mp4'],
  ['🚣🚣', 'task_1-8s-1080p.mp4'],
  ['', 'task_1-8s-1080p.mp4'],
  ['\ud800 x', 'x-8s-1080p.mp4'],
  [`${'word '.repeat(20)}`, `${'word-'.repeat(8).slice(0, -1)}-8s-1080p.mp4`],
  ['x'.repeat(100_000), `${'x'.repeat(40)}-8s-1080p.mp4`],
] as const;

for (const [words, name] of NAMES)
  test(`${JSON.stringify(words).slice(0, 40)} is saved as ${name}`, () => {
    assert.equal(video(words), name);
  });

test('a header with any name has printable ASCII only, and one value', () => {
  for (const name of ['a"; filename="b.exe', 'a\r\nX: y', '船.mp4', "it's (1)*.png", '\ud800', 'a%22b\\c']) {
    const header = contentDisposition(name);
    assert.match(header, /^attachment; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[\w.!~%-]*$/);
  }
  assert.equal(contentDisposition('船.mp4'), `attachment; filename="_.mp4"; filename*=UTF-8''%E8%88%B9.mp4`);
});
