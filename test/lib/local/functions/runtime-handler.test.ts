import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadHandler } from '../../../../lib/local/functions/runtime-handler.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const folder = await temporaryFolder('handlers');
let bundles = 0;

const load = async (files: Readonly<Record<string, string>>) => {
  bundles += 1;
  const bundle = join(folder, String(bundles));
  await mkdir(bundle);
  for (const [name, code] of Object.entries(files)) await writeFile(join(bundle, name), code);
  return loadHandler(bundle, 'index.handler');
};

const STREAMING = "Symbol.for('aws.lambda.runtime.handler.streaming')";

describe('a handler', () => {
  test('is loaded from index.js, index.mjs or index.cjs, in this order', async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'index.cjs': "exports.handler = () => 'cjs';",
      'index.mjs': "export const handler = () => 'mjs';",
    };
    assert.equal((await load(files)).call(), 'mjs');
    const all = { ...files, 'index.js': "export const handler = () => 'js';" };
    assert.equal((await load(all)).call(), 'js');
    assert.equal((await load({ 'index.cjs': files['index.cjs'] })).call(), 'cjs');
  });

  test('streams with its own high-water mark', async () => {
    const plain = await load({ 'index.mjs': 'export const handler = async () => {};' });
    assert.equal(plain.streaming, undefined);
    const streamed = `export const handler = Object.assign(async () => {}, { [${STREAMING}]: 'response' });`;
    assert.deepEqual((await load({ 'index.mjs': streamed })).streaming, {});
    const mark = `handler[Symbol.for('aws.lambda.runtime.handler.streaming.highWaterMark')] = 1000;`;
    assert.deepEqual((await load({ 'index.mjs': `${streamed}\n${mark}` })).streaming, {
      highWaterMark: 1000,
    });
  });

  const REFUSED: readonly (readonly [title: string, code: string, name: string, message: RegExp])[] = [
    ['is missing', 'export const other = 1;', 'HandlerNotFound', /is undefined or not exported$/],
    ['is no function', 'export const handler = 1;', 'HandlerNotFound', /is not a function$/],
    [
      'takes a callback',
      'export const handler = (event, context, callback) => callback();',
      'CallbackHandlerDeprecated',
      /removed support for callback-based function handlers/,
    ],
    [
      'streams its request',
      `export const handler = Object.assign(async () => {}, { [${STREAMING}]: 'request' });`,
      'MalformedStreamingHandler',
      /^Only response streaming is supported\.$/,
    ],
  ];
  for (const [title, code, name, message] of REFUSED)
    test(`that ${title} is rejected`, async () => {
      await assert.rejects(load({ 'index.mjs': code }), { name: `Runtime.${name}`, message });
    });

  test('requires its module', async () => {
    await assert.rejects(load({}), { name: 'Runtime.ImportModuleError' });
  });
});
