import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readImageHeader } from '../../functions/platform/domain/input-image.ts';
import { call } from '../support/http.ts';
import { JPEG, PNG } from '../support/images.ts';
import { readStreams } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocks, PROJECT } from './sections.ts';

const run = promisify(execFile);
/** The reason to skip an example, if this machine lacks the command. */
const missingCommand = (command: string, ...args: string[]): string | undefined =>
  spawnSync(command, args).status === 0 ? undefined : `${command} or a package of it is not installed`;

const service = await openSharedService();
const folder = await temporaryFolder('examples');
await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'first.png'), PNG);
await writeFile(join(folder, 'last.jpg'), JPEG);

type Place = { readonly folder: string; readonly apiKey: string };
const RIGHT: Place = { folder, apiKey: service.apiKey };

const inPlace = async (place: Place, command: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: place.apiKey };
  return (await run(command, args, { cwd: place.folder, env, encoding: 'utf8' })).stdout;
};
const readOutput = (name: string): Promise<Buffer> => readFile(join(folder, name));

const assertVideo = async (): Promise<void> => {
  assert.deepEqual(
    readStreams(await readOutput('video.mp4'))
      .map(({ codec }) => codec)
      .toSorted(),
    ['avc1', 'mp4a'],
  );
  await rm(join(folder, 'video.mp4'));
};

type Outcome = (output: string) => Promise<void>;

/** Checks of what the examples of a section produce, in their order. */
const CURL: readonly Outcome[] = [
  async (output) => assert.equal(output.match(/"status":"queued"/g)?.length, 3),
  async (output) => assert.match(output, /"size":"720x1280"/),
  async () => {
    assert.match((await readOutput('native.json')).toString(), /"inlineData"/);
    assert.match((await readOutput('chat.json')).toString(), /!\[image\]\(data:image\/jpeg;base64,/);
    assert.match((await readOutput('generated.json')).toString(), /"b64_json":".*"size":"1264x848"/);
    assert.match((await readOutput('edited.json')).toString(), /"b64_json":".*"size":"1376x768"/);
  },
];
const NODE: readonly Outcome[] = [
  async () => {
    const header = readImageHeader(await readOutput('lighthouse.jpg'));
    assert.deepEqual([header?.width, header?.height], [1376, 768]);
  },
  async () => {
    for (const name of ['generated.jpg', 'edited.jpg']) {
      const header = readImageHeader(await readOutput(name));
      assert.deepEqual([header?.width, header?.height], [1024, 1024]);
    }
  },
];

const FILES: readonly Outcome[] = [
  async (output) => {
    assert.equal(output, '');
    const { id } = JSON.parse((await readOutput('file.json')).toString());
    const { body } = await call(service, 'GET', `/v1/files/${id}`);
    assert.deepEqual([body.status, body.bytes], ['processed', PNG.length]);
  },
];

const assertFrames: Outcome = async (output) => {
  const { body } = await call(service, 'GET', `/v1/videos/${output.trim()}?include[]=request`);
  assert.equal(Reflect.get(Object(body.request), 'mode'), 'first_and_last_frame');
};

const assertNight: Outcome = async () => {
  assert.equal(readImageHeader(await readOutput('night.jpg'))?.mimeType, 'image/jpeg');
};

const inFile = async (place: Place, name: string, command: string, block: string): Promise<string> => {
  await writeFile(join(place.folder, name), block);
  return inPlace(place, command, name);
};
const importLines = (block: string): string => block.match(/^(import|from) .+$/gm)?.join('\n') ?? '';

const LANGUAGES = {
  sh: {
    run: (block: string, place: Place) => inPlace(place, 'bash', '-e', '-c', block),
    missing: (block: string) =>
      missingCommand('curl', '--version') ??
      (block.includes('jq ') ? missingCommand('jq', '--version') : undefined),
  },
  js: {
    run: (block: string, place: Place) => inFile(place, 'example.mjs', process.execPath, block),
    missing: () => undefined,
  },
  python: {
    run: (block: string, place: Place) => inFile(place, 'example.py', 'python3', block),
    missing: (block: string) => missingCommand('python3', '-c', importLines(block)),
  },
} as const;

const EXAMPLES: readonly (readonly [
  document: string,
  heading: string,
  language: keyof typeof LANGUAGES,
  readonly Outcome[],
])[] = [
  ['README.md', '## First video', 'sh', [assertVideo]],
  ['README.md', '## First video', 'js', [assertVideo]],
  ['docs/api.md', '## curl', 'sh', CURL],
  ['docs/api.md', '## Node', 'js', NODE],
  ['docs/api.md', '## Python', 'python', [assertVideo, assertVideo]],
  ['docs/api.md', '## Files', 'sh', FILES],
  ['docs/api.md', '## Files', 'js', [assertFrames]],
  ['docs/api.md', '## Files', 'python', [assertFrames]],
  ['docs/api.md', "## Videos with Google's clients", 'js', [assertVideo]],
  ['docs/api.md', "## Files with Google's clients", 'js', [assertNight]],
];

const PROMPT = 'A paper boat drifts across a quiet lake, soft piano';
const WRONG_KEY = `${service.apiKey.slice(0, -1)}!`;

/** Each example with a wrong key, and those that wait for a video with one that fails. */
const failures = (
  block: string,
): readonly (readonly [title: string, block: string, apiKey: string, message: RegExp])[] => [
  ['if the key is wrong', block, WRONG_KEY, /API key|401/],
  ...(block.includes(PROMPT)
    ? ([
        [
          'if the task fails',
          block.replace(PROMPT, `${PROMPT} [sample: filtered]`),
          service.apiKey,
          /safety|filter/i,
        ],
      ] as const)
    : []),
];

let folders = 0;
/** A folder with the inputs of the examples, so that examples can run at the same time. */
const newFolder = async (): Promise<string> => {
  folders += 1;
  const place = join(folder, `failure-${folders}`);
  await mkdir(place);
  await symlink(join(PROJECT, 'node_modules'), join(place, 'node_modules'));
  await writeFile(join(place, 'first.png'), PNG);
  await writeFile(join(place, 'last.jpg'), JPEG);
  return place;
};

for (const [document, heading, language, outcomes] of EXAMPLES)
  describe(`${document}, ${heading}, ${language}`, () => {
    const blocks = codeBlocks([document, heading], language);
    const { run: runBlock, missing } = LANGUAGES[language];

    test('has one check per example', () => assert.equal(blocks.length, outcomes.length));

    for (const [position, block] of blocks.entries())
      test(`example ${position + 1} works as written`, { skip: missing(block) ?? false }, async () => {
        await outcomes[position]?.(await runBlock(block, RIGHT));
      });

    for (const [position, block] of blocks.entries())
      for (const [title, changed, apiKey, message] of failures(block))
        test(`example ${position + 1} ends with an error code ${title}`, {
          skip: missing(block) ?? false,
        }, async () => {
          const place = { folder: await newFolder(), apiKey };
          const [result] = await Promise.allSettled([runBlock(changed, place)]);
          assert.ok(result.status === 'rejected' && result.reason.code !== 0);
          assert.match(result.reason.stderr, message);
          const written = (await readdir(place.folder)).filter(
            (name) => /\.(mp4|jpg)$/.test(name) && name !== 'last.jpg',
          );
          assert.deepEqual(written, [], 'no error is saved as a result');
        });
  });
