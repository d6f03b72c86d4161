import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleInto, keptBundles } from '../../../lib/lambda/bundling.ts';
import { CONSOLE_BUNDLE } from '../../../lib/lambda/console-build.ts';
import {
  LICENSES_FILE,
  loadContents,
  readPackage,
  type ShippedPackage,
} from '../../../lib/lambda/shipped-packages.ts';

/** Licenses that allow shipping in a closed product together with their text. */
const ALLOWED = ['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0'];
/** Licenses that do not require their text. */
const ALLOWED_WITHOUT_TEXT = ['0BSD', 'Unlicense'];

const licenseProblems = ({ name, license, texts }: ShippedPackage): readonly string[] => {
  if (ALLOWED_WITHOUT_TEXT.includes(license)) return [];
  if (!ALLOWED.includes(license)) return [`${name}: ${license} is not an allowed license`];
  return texts.length === 0 ? [`${name}: the text of ${license} is missing`] : [];
};

const folder = keptBundles(bundleInto) ?? assert.fail('the bundles cannot be kept');
const { bundles } = loadContents(folder);
const functionNames = Object.keys(bundles).filter((name) => name !== CONSOLE_BUNDLE);
const shipped = [...new Set(Object.values(bundles).flat())].map(readPackage);

describe('the shipped packages', () => {
  test('have an allowed license, with its text', () => {
    assert.ok(shipped.length > 15);
    assert.deepEqual(shipped.flatMap(licenseProblems), []);
  });

  test('are the packages in the bundles, not all installed packages', () => {
    const names = shipped.map(({ name }) => name);
    for (const used of ['zod', 'busboy', '@aws-sdk/client-dynamodb', 'preact', 'lucide-preact'])
      assert.ok(names.includes(used), used);
    for (const unused of ['node-av', 'aws-cdk-lib', 'esbuild', '@aws-sdk/client-cloudformation'])
      assert.ok(!names.includes(unused), unused);
  });
});

const assertComplete = (text: string, folders: readonly string[]): void => {
  for (const { name, version, license, texts } of folders.map(readPackage)) {
    assert.ok(text.includes(`\n${name} ${version} (${license})\n`), name);
    for (const notice of texts) assert.ok(text.includes(notice), `the text of ${name}`);
  }
};

describe('the license texts', () => {
  test('are in the folder of every function', () => {
    assert.ok(functionNames.length > 30);
    for (const name of functionNames)
      assertComplete(readFileSync(join(folder, name, LICENSES_FILE), 'utf8'), bundles[name] ?? []);
  });

  test('include those of the libraries in wasm files', () => {
    const text = readFileSync(join(folder, 'generate-images', LICENSES_FILE), 'utf8');
    for (const library of [
      'libjpeg-turbo is covered by',
      'The IJG (Independent JPEG Group) License',
      '2010, Google',
    ])
      assert.ok(text.includes(library), library);
  });

  test('are linked from the page of the console', () => {
    const files = join(folder, 'get-console', 'console');
    const page = readFileSync(join(files, 'index.html'), 'utf8');
    const [, asset = ''] = /<link rel="license" href="[^"]*\/assets\/([^"]+)">/.exec(page) ?? [];
    assert.ok(readdirSync(join(files, 'assets')).includes(asset), asset);
    assertComplete(readFileSync(join(files, 'assets', asset), 'utf8'), bundles[CONSOLE_BUNDLE] ?? []);
  });
});
