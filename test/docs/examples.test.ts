import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readImageHeader } from '../../functions/domain/image-header.ts';
import { JPEG, PNG } from '../support/images.ts';
import { streamsOf } from '../support/mp4.ts';
import { type Service, startService } from '../support/service.ts';
import { codeBlocks } from './sections.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '..', '..');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let service: Service;
let folder: string;
before(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'readme-'));
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'first.png'), PNG);
  await writeFile(join(folder, 'last.jpg'), JPEG);
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = async (command: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  return (await run(command, args, { cwd: folder, env, encoding: 'utf8' })).stdout;
};
const made = (name: string): Promise<Buffer> => readFile(join(folder, name));

const assertVideo = async (): Promise<void> => {
  assert.deepEqual(
    streamsOf(await made('video.mp4'))
      .map(({ codec }) => codec)
      .toSorted(),
    ['avc1', 'mp4a'],
  );
  await rm(join(folder, 'video.mp4'));
};

/** What each example leaves behind, in the order of the README. */
const CURL: readonly ((output: string) => Promise<void>)[] = [
  assertVideo,
  async (output) => assert.equal(output.match(/"status":"queued"/g)?.length, 3),
  async (output) => assert.match(output, /"size":"720x1280"/),
  async () => {
    assert.match((await made('native.json')).toString(), /"inlineData"/);
    assert.match((await made('chat.json')).toString(), /!\[image\]\(data:image\/jpeg;base64,/);
  },
];
const NODE: readonly (() => Promise<void>)[] = [
  assertVideo,
  async () => {
    const header = readImageHeader(await made('lighthouse.jpg'));
    assert.deepEqual([header?.width, header?.height], [1376, 768]);
  },
];

describe('the examples of the README work as they stand there', () => {
  test('each is expected to leave something', () => {
    assert.equal(codeBlocks('### curl', 'sh').length, CURL.length);
    assert.equal(codeBlocks('### Node', 'js').length, NODE.length);
  });

  for (const [position, block] of codeBlocks('### curl', 'sh').entries())
    test(`curl, number ${position + 1}`, { skip: hasCurl ? false : 'curl is not installed' }, async () => {
      await CURL[position]?.(await inFolder('bash', '-e', '-c', block));
    });

  for (const [position, block] of codeBlocks('### Node', 'js').entries())
    test(`Node, number ${position + 1}`, async () => {
      await writeFile(join(folder, 'example.mjs'), block);
      await inFolder(process.execPath, 'example.mjs');
      await NODE[position]?.();
    });
});
