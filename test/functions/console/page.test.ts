import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { consoleFiles } from '../../../functions/console/page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the console serves each file in three encodings, and no other files', async () => {
  const folder = await temporaryFolder('console-files');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<p>');
  for (const suffix of ['', '.br', '.gz'])
    await writeFile(join(folder, 'assets', `a.js${suffix}`), `plain${suffix}`);
  await writeFile(join(folder, 'assets', 'b.png'), 'b');
  const { page, asset } = consoleFiles(folder);
  assert.equal(page, '<p>');
  const read = (name: string, encoding: 'br' | 'gzip' | 'identity') =>
    new TextDecoder().decode(asset(name, encoding));
  assert.deepEqual(
    [read('a.js', 'br'), read('a.js', 'gzip'), read('a.js', 'identity')],
    ['plain.br', 'plain.gz', 'plain'],
  );
  assert.deepEqual(
    [asset('a.js.br', 'identity'), asset('b.png', 'identity'), asset('..', 'br')],
    [undefined, undefined, undefined],
  );
});
