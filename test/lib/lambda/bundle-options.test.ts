import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE_OPTIONS, evaluatedModules, LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder('bundles');

const bundle = async (name: string, contents: string, options: BuildOptions): Promise<string> => {
  const file = join(folder, `${name}.mjs`);
  const stdin = { contents, resolveDir: BUNDLE_OPTIONS.absWorkingDir };
  await build({ ...BUNDLE_OPTIONS, ...options, minify: false, stdin, outfile: file, outExtension: {} });
  return file;
};

/** All schemas of a client as text; schemas refer to each other by functions. */
const schemasIn = async (file: string): Promise<Record<string, string>> => {
  const all: Record<string, unknown> = await import(file);
  const text = (_: string, value: unknown): unknown => (typeof value === 'function' ? String(value) : value);
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => name.endsWith('$'))
      .map(([name, schema]) => [name, JSON.stringify(schema, text)]),
  );
};

for (const client of ['dynamodb', 's3', 'secrets-manager', 'sqs'])
  test(`the schemas of ${client} are the same in a bundle and in the SDK`, async () => {
    // Without the rest of the client, which takes most of the time.
    const schemas = `./node_modules/@aws-sdk/client-${client}/dist-es/schemas`;
    const all = (await readdir(schemas)).map((file) => `export * from '${schemas}/${file}';`).join('');
    const own = await schemasIn(await bundle(`${client}-own`, all, {}));
    assert.ok(Object.keys(own).length > 50);
    assert.deepEqual(await schemasIn(await bundle(`${client}-lean`, all, LEAN_SDK)), own);
  });

test('a bundle with S3 contains the schemas that it uses, and no unused parts of the SDK', async () => {
  const code = "export { S3Client, PutObjectCommand } from '@aws-sdk/client-s3'";
  const [own, lean] = await Promise.all(
    [{}, LEAN_SDK].map(async (options, position) =>
      readFile(await bundle(`put-object-${position}`, code, options), 'utf8'),
    ),
  );
  const LEFT_OUT = {
    'a schema of another call': 'AnalyticsConfiguration',
    'the adaptive retry strategy': 'getSendToken',
    'a hash in JavaScript': '1116352408',
    'the manifest of a package': 'typesVersions',
    'a credential provider': 'credential_process',
    'instance metadata': 'latest/meta-data/placement/region',
    'the reader of AWS configuration files': 'getConfigFilepath',
    'the signer of event streams': 'HEADER_VALUE_TYPE',
  };
  assert.match(lean ?? '', /PutObjectRequest/);
  // A text that the SDK no longer contains would make this test useless.
  for (const [name, text] of Object.entries(LEFT_OUT))
    assert.deepEqual([own?.includes(text), lean?.includes(text)], [true, false], name);
});

test('ships the OpenAPI document without the code that builds it', async () => {
  const { metafile } = await build({
    ...BUNDLE_OPTIONS,
    entryPoints: ['functions/openapi/get-openapi.ts'],
    outdir: 'unused',
    plugins: [evaluatedModules],
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  assert.ok(files.includes('functions/openapi/compressed-document.ts'));
  const documents = files.filter((file) => /\/document\.ts$|\/api\/[\w-]+-operations\.ts$/.test(file));
  assert.deepEqual(documents, []);
});
