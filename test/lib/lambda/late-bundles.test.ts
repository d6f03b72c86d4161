import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleInto, keptBundles } from '../../../lib/lambda/bundling.ts';
import { emptyBundle, LateBundles } from '../../../lib/lambda/late-bundles.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An assembly with the folders that CDK creates for the given functions. */
const createAssembly = async (...names: readonly string[]) => {
  const assembly = await temporaryFolder('late-bundles');
  const folders = names.map((name) => {
    const folder = join(assembly, `asset.${name}`);
    cpSync(emptyBundle(assembly, name), folder, { recursive: true });
    return folder;
  });
  return { assembly, folders, late: new LateBundles(assembly) };
};

const FILES = ['THIRD_PARTY_LICENSES.txt', 'index.mjs', 'index.mjs.map'];
const kept = keptBundles(bundleInto) ?? assert.fail('the bundles cannot be kept');

describe('a function that is bundled late', () => {
  test('has the code of its deployment, however often it is loaded', async () => {
    const { assembly, folders, late } = await createAssembly('unknown-route', 'not-offered');
    await Promise.all([...folders, ...folders].map(late.load));
    for (const [index, name] of ['unknown-route', 'not-offered'].entries()) {
      const folder = folders[index] ?? '';
      assert.deepEqual(readdirSync(folder).toSorted(), FILES);
      assert.deepEqual(readFileSync(join(folder, 'index.mjs')), readFileSync(join(kept, name, 'index.mjs')));
    }
    assert.equal(readdirSync(assembly).filter((name) => name.startsWith('bundles-')).length, 1, 'one run');
  });

  test('is taken from the bundles of all functions if they exist', async () => {
    const { assembly, folders, late } = await createAssembly('get-console', 'list-videos');
    await late.loadOthers();
    assert.ok(existsSync(join(folders[0] ?? '', 'console', 'index.html')));
    assert.deepEqual(readdirSync(folders[1] ?? '').toSorted(), FILES);
    assert.deepEqual(readdirSync(assembly).toSorted(), [
      'asset.get-console',
      'asset.list-videos',
      'empty-bundles',
    ]);
  });

  test('is taken from the bundles that were prepared, or bundled if that failed', async () => {
    const { assembly, folders } = await createAssembly('unknown-route', 'not-offered');
    const late = new LateBundles(assembly, () => undefined);
    late.prepare(['unknown-route', 'no-such-function']);
    await Promise.all(folders.map(late.load));
    for (const folder of folders) assert.deepEqual(readdirSync(folder).toSorted(), FILES);
    const runs = readdirSync(assembly).filter((name) => name.startsWith('bundles-'));
    assert.deepEqual(
      runs
        .flatMap((run) => readdirSync(join(assembly, run)))
        .filter((name) => !name.includes('.'))
        .toSorted(),
      ['not-offered', 'unknown-route'],
      'each once',
    );
  });

  test('fails to load if it cannot be bundled, and the next one loads', async () => {
    const { folders, late } = await createAssembly('no-such-function', 'unknown-route');
    const [missing = '', found = ''] = folders;
    await assert.rejects(late.load(missing));
    await assert.rejects(late.load(missing), 'the next event tries again');
    await late.load(found);
    assert.ok(existsSync(join(found, 'index.mjs')));
  });
});

test('other assets stay as they are', async () => {
  const { assembly, late } = await createAssembly();
  const other = join(assembly, 'asset.other');
  mkdirSync(other);
  await late.load(other);
  assert.deepEqual(readdirSync(other), []);
});
