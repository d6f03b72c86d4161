import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE_OPTIONS, LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder('bundles');

const bundle = async (name: string, contents: string, options: BuildOptions): Promise<string> => {
  const file = join(folder, `${name}.mjs`);
  const stdin = { contents, resolveDir: BUNDLE_OPTIONS.absWorkingDir };
  await build({ ...BUNDLE_OPTIONS, ...options, minify: false, stdin, outfile: file, outExtension: {} });
  return file;
};

/** Every schema of a client as text; one refers to another by a function. */
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
  test(`the schemas of ${client} are in a bundle what they are in the SDK`, async () => {
    const all = `export * from '@aws-sdk/client-${client}'`;
    const own = await schemasIn(await bundle(`${client}-own`, all, {}));
    assert.ok(Object.keys(own).length > 50);
    assert.deepEqual(await schemasIn(await bundle(`${client}-lean`, all, LEAN_SDK)), own);
  });

test('a bundle with S3 has the schemas that it uses, and nothing of what no function needs', async () => {
  const code = "export { S3Client, PutObjectCommand } from '@aws-sdk/client-s3'";
  const [own, lean] = await Promise.all(
    [{}, LEAN_SDK].map(async (options, position) =>
      readFile(await bundle(`put-object-${position}`, code, options), 'utf8'),
    ),
  );
  const LEFT_OUT = {
    'a schema of another call': 'AnalyticsConfiguration',
    'a rate limiter': 'getSendToken',
    'a hash in JavaScript': '1116352408',
    'the manifest of a package': 'typesVersions',
    'a source of credentials': 'credential_process',
    'the region of an instance': 'latest/meta-data/placement/region',
    'a reader of files of settings': 'getConfigFilepath',
    'a signer of event streams': 'HEADER_VALUE_TYPE',
    'the description of a region': 'Europe (Stockholm)',
    'a description of this software': 'uaName',
    'an error of a call that manages a bucket': 'BucketAlreadyOwnedByYou',
  };
  assert.match(lean ?? '', /PutObjectRequest/);
  // What the SDK no longer has would be missing in both, and this test with it.
  for (const [name, mark] of Object.entries(LEFT_OUT))
    assert.deepEqual([own?.includes(mark), lean?.includes(mark)], [true, false], name);
});

test('every DynamoDB error that functions tell by its class is one in a bundle', async () => {
  const files = await Array.fromAsync(glob('functions/**/*.ts', { cwd: BUNDLE_OPTIONS.absWorkingDir }));
  const sources = await Promise.all(
    files.map((file) => readFile(join(BUNDLE_OPTIONS.absWorkingDir, file), 'utf8')),
  );
  const names = new Set(
    sources.flatMap((source) =>
      // The base of all errors of a client needs no entry: what has none is thrown as it.
      Array.from(source.matchAll(/instanceof (\w+(?<!Service)Exception)/g), ([, name]) => name),
    ),
  );
  assert.ok(names.has('ConditionalCheckFailedException'));
  const code = "export { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'";
  const lean = await readFile(await bundle('update-item', code, LEAN_SDK), 'utf8');
  for (const name of names) assert.ok(lean.includes(`registerError(${name}$, ${name})`), name);
  assert.ok(!lean.includes('registerError(BackupInUseException$'));
});
