import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../../lib/lambda/bundle-options.ts';
import { evaluatedModules } from '../../../lib/lambda/evaluated-modules.ts';

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
  assert.deepEqual(
    files.filter((file) => file.includes('/zod/') || file.endsWith('/document.ts')),
    [],
  );
});
