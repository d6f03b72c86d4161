import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readImageHeader } from '../../functions/catalogue/domain/input-image.ts';
import { quickStart } from '../../lib/local/start/run.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { call } from '../support/http.ts';
import { JPEG, PNG } from '../support/images.ts';
import { readCodecs } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocks, PROJECT } from './sections.ts';

const run = promisify(execFile);
const checked = new Map<string, boolean>();
/** The reason to skip an example, if this machine lacks the command. */
const missingCommand = (command: string, ...args: string[]): string | undefined => {
  const line = [command, ...args].join(' ');
  const works = checked.get(line) ?? spawnSync(command, args).status === 0;
  checked.set(line, works);
  return works ? undefined : `${command} or a package of it is not installed`;
};

const service = await openSharedService();
const folder = await temporaryFolder('examples');
await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'first.png'), PNG);
await writeFile(join(folder, 'last.jpg'), JPEG);

const adminKey = await issueApiKey(
  { clientConfig: service.operator, outputs: service.outputs },
  { account: `examples-${randomUUID()}`, name: 'admin', kind: 'admin' },
);

type Place = { readonly folder: string; readonly apiKey: string; readonly adminKey: string };
const RIGHT: Place = { folder, apiKey: service.apiKey, adminKey };

const inPlace = async (place: Place, command: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: place.apiKey, ADMIN_KEY: place.adminKey };
  return (await run(command, args, { cwd: place.folder, env, encoding: 'utf8' })).stdout;
};
const readOutput = (name: string): Promise<Buffer> => readFile(join(folder, name));

const assertVideo = async (): Promise<void> => {
  assert.deepEqual(readCodecs(await readOutput('video.mp4')).toSorted(), ['avc1', 'mp4a']);
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

const assertCharges: Outcome = async () => {
  assert.match((await readOutput('charges.csv')).toString(), /^time,id,kind,/);
};

const assertAudit: Outcome = async (output) => {
  assert.match(output, /"object":"list"/);
};

const assertImagen: Outcome = async () => {
  const { predictions } = JSON.parse((await readOutput('imagen.json')).toString());
  const header = readImageHeader(Buffer.from(predictions[0].bytesBase64Encoded, 'base64'));
  assert.deepEqual([header?.width, header?.height], [1376, 768]);
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
  ['docs/api.md', '## Python', 'python', [assertVideo]],
  ['docs/account.md', '## Usage and costs', 'sh', [assertCharges]],
  ['docs/account.md', '## Audit log', 'sh', [assertAudit]],
  ['docs/api.md', '## Files', 'sh', FILES],
  ['docs/api.md', '## Files', 'js', [assertFrames]],
  ['docs/api.md', '## Files', 'python', [assertFrames]],
  ['docs/formats.md', "## Videos with Google's clients", 'js', [assertVideo]],
  ['docs/formats.md', "## Files with Google's clients", 'js', [assertNight]],
  ['docs/formats.md', "## Images with Google's Imagen clients", 'sh', [assertImagen]],
];

/** The prompts of examples that wait for a result, and how they are made to fail. */
const FAILING_PROMPTS = [
  ['A paper boat drifts across a quiet lake, soft piano', 'filtered', /safety|filter/i],
  ['A paper boat drifts across a quiet lake at sunrise', 'filtered', /error: 409/],
  ['A lighthouse at dusk', 'blocked IMAGE_SAFETY', /blocked|error: 400/i],
] as const;

const WRONG = {
  apiKey: `${service.apiKey.slice(0, -1)}!`,
  adminKey: `${adminKey.slice(0, -1)}!`,
};

type Failure = {
  readonly title: string;
  readonly block: string;
  readonly keys: Omit<Place, 'folder'>;
  readonly message: RegExp;
};

/** Each example with a wrong key, and those that wait for a video or an image with one that fails. */
const failures = (block: string): readonly Failure[] => [
  { title: 'if the key is wrong', block, keys: WRONG, message: /API key|401|404/ },
  ...FAILING_PROMPTS.filter(([prompt]) => block.includes(prompt)).map(([prompt, failure, message]) => ({
    title: 'if the generation fails',
    block: block.replaceAll(prompt, `${prompt} [sample: ${failure}]`),
    keys: RIGHT,
    message,
  })),
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

const testExamples = (
  title: string,
  language: keyof typeof LANGUAGES,
  blocks: readonly string[],
  outcomes: readonly Outcome[],
) =>
  describe(title, () => {
    const { run: runBlock, missing } = LANGUAGES[language];

    test('has one check per example', () => assert.equal(blocks.length, outcomes.length));

    for (const [position, block] of blocks.entries())
      test(`example ${position + 1} works as written`, { skip: missing(block) ?? false }, async () => {
        await outcomes[position]?.(await runBlock(block, RIGHT));
      });

    for (const [position, block] of blocks.entries())
      for (const failure of failures(block))
        test(`example ${position + 1} ends with an error code ${failure.title}`, {
          skip: missing(block) ?? false,
        }, async () => {
          const place = { ...failure.keys, folder: await newFolder() };
          const [result] = await Promise.allSettled([runBlock(failure.block, place)]);
          assert.ok(result.status === 'rejected' && result.reason.code !== 0);
          assert.match(result.reason.stderr, failure.message);
          const written = (await readdir(place.folder)).filter(
            (name) => /\.(mp4|jpg)$/.test(name) && name !== 'last.jpg',
          );
          assert.deepEqual(written, [], 'no error is saved as a result');
        });
  });

for (const [document, heading, language, outcomes] of EXAMPLES)
  testExamples(
    `${document}, ${heading}, ${language}`,
    language,
    codeBlocks([document, heading], language),
    outcomes,
  );

// As people paste them: with the key in the line, and in a shell that continues after an error.
testExamples(
  'the lines that npm start prints',
  'sh',
  [
    quickStart({ baseUrl: service.baseUrl, apiKey: service.apiKey })
      .join('\n')
      .replaceAll(service.apiKey, `'"$API_KEY"'`)
      .replace(/^/, 'set +e\n'),
  ],
  [assertVideo],
);
