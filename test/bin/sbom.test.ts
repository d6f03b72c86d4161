import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import * as z from 'zod';
import { functionFiles } from '../../lib/lambda/bundle-options.ts';
import { bundleInto, keptBundles } from '../../lib/lambda/bundling.ts';
import { createSbom } from '../../lib/sbom.ts';
import { longOr } from '../support/long-tests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, spawnCommand } from './run-command.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const SCHEMAS = join(PROJECT, 'node_modules', '@cyclonedx', 'cyclonedx-library', 'res', 'schema');
const readSchema = (name: string) => JSON.parse(readFileSync(join(SCHEMAS, `${name}.schema.json`), 'utf8'));

// Code that runs three times is not worth optimizing.
const ajv = new Ajv({ strict: false, validateFormats: false, code: { optimize: false } });
for (const name of ['spdx.SNAPSHOT', 'jsf-0.82.SNAPSHOT'])
  ajv.addSchema({ ...readSchema(name), $id: `http://cyclonedx.org/schema/${name}.schema.json` });
const isCycloneDx = ajv.compile(readSchema('bom-1.6.SNAPSHOT'));

const component = z.looseObject({ type: z.string(), name: z.string(), 'bom-ref': z.string() });
const documentSchema = z.looseObject({
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const folder = await temporaryFolder('sbom');
const output = join(folder, 'sbom.json');
const bundles = keptBundles(bundleInto) ?? assert.fail('the bundles cannot be kept');
const { code, errors } = await spawnCommand('sbom', ['--output', output]);
assert.equal(code, 0, errors);
const text = readFileSync(output, 'utf8');
const { components, dependencies } = documentSchema.parse(JSON.parse(text));

const found = (reference: string) =>
  components.find((one) => one['bom-ref'] === reference) ?? assert.fail(reference);
const dependsOn = (reference: string) =>
  dependencies.find(({ ref }) => ref === reference)?.dependsOn ?? assert.fail(reference);

describe('the SBOM', () => {
  test('is a CycloneDX 1.6 document', () => {
    assert.ok(isCycloneDx(JSON.parse(text)), ajv.errorsText(isCycloneDx.errors));
  });

  test('lists every function with the hash of its bundle', () => {
    const names = [...functionFiles().keys()];
    assert.ok(names.length > 30);
    for (const name of names) {
      const content = createHash('sha256')
        .update(readFileSync(join(bundles, name, 'index.mjs')))
        .digest('hex');
      assert.deepEqual(found(`function/${name}`).hashes, [{ alg: 'SHA-256', content }]);
    }
  });

  test('lists the files that a function loads later', () => {
    const files = z
      .array(z.looseObject({ name: z.string() }))
      .parse(found('function/edit-images').components);
    assert.deepEqual(
      files.map(({ name }) => name),
      [
        'image-worker.mjs',
        'mozjpeg_dec.wasm',
        'mozjpeg_enc.wasm',
        'squoosh_png_bg.wasm',
        'webp_dec.wasm',
        'webp_enc_simd.wasm',
      ],
    );
    assert.equal(found('function/list-videos').components, undefined);
  });

  test('lists every file of the console', () => {
    const files = z.array(z.looseObject({ name: z.string() })).parse(found('console').components);
    assert.ok(files.some(({ name }) => name === 'index.html'));
    assert.ok(files.some(({ name }) => /^assets\/main-\w+\.js$/.test(name)));
  });

  test('lists the dependencies of each package', () => {
    const [busboy = ''] = dependsOn('function/create-video').filter((url) => url.includes('/busboy@'));
    assert.match(dependsOn(busboy).join(), /^pkg:npm\/streamsearch@[\d.]+$/);
  });

  test('has a component for every reference', () => {
    const references = new Set(dependencies.map(({ ref }) => ref));
    for (const reference of dependencies.flatMap((one) => one.dependsOn)) {
      found(reference);
      assert.ok(references.has(reference), reference);
    }
  });

  test('has the version, license and archive hash of every package', () => {
    const packages = components.filter(({ type }) => type === 'library');
    assert.ok(packages.length > 15);
    for (const { name, version, purl, licenses, hashes } of packages) {
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
      assert.match(JSON.stringify(licenses), /"id":"[\w.-]+"/);
      assert.match(JSON.stringify(hashes), /^\[\{"alg":"SHA-512","content":"[0-9a-f]{128}"\}\]$/);
    }
  });
});

describe('the SBOM of the same bundles', () => {
  test('is the same, byte for byte, except for the build time that SOURCE_DATE_EPOCH sets', () => {
    const dated = createSbom(bundles, 1_700_000_000);
    assert.equal(dated.metadata.timestamp, '2023-11-14T22:13:20.000Z');
    const undated = { ...dated, metadata: { ...dated.metadata, timestamp: undefined } };
    assert.equal(text, `${JSON.stringify(undated, undefined, 2)}\n`);
    assert.doesNotMatch(text, /timestamp/);
  });

  // Bundling takes ten seconds.
  if (longOr(false, true))
    test('is the same after a rebuild', () => {
      bundleInto(folder);
      assert.deepEqual(createSbom(folder), createSbom(bundles));
    });

  test('is not written if SOURCE_DATE_EPOCH is invalid', async () => {
    const refused = await runCommand('sbom', ['--output', output], { SOURCE_DATE_EPOCH: 'soon' });
    assert.equal(refused.code, 1);
    assert.equal(refused.errors, 'SOURCE_DATE_EPOCH must be a whole number of seconds since 1970.\n');
  });
});
