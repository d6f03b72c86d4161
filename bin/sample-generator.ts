import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal, readNumber, readOptions, runCommand } from '../lib/command.ts';
import type { Protocol, SampleGenerator } from '../lib/sample-generator/server.ts';

const USAGE = `Runs an upstream that draws its videos and images, for development and tests.

Usage: npm run sample-generator -- [options]

  --kind KIND               gemini (default), vertex, openrouter or openai
  --port N                  default 8089; 0 for any free port
  --api-key KEY             the key that it accepts (default sample-key)
  --key-header NAME         gemini: the header with the key (default x-goog-api-key)
  --project NAME            vertex: default sample
  --location NAME           vertex: default us-central1
  --options STYLE           openai: where it reads options: none (default), metadata, top-level or media-generation
  --generation-seconds N    how long a video takes (default 2)
  --name NAME               for test prompts that are limited to this upstream (default none)
  --cache-dir DIR           where it keeps its media (default .local/sample-generator)`;

const OPTIONS = {
  port: { type: 'string', default: '8089' },
  name: { type: 'string', default: '' },
  kind: { type: 'string', default: 'gemini' },
  'api-key': { type: 'string', default: 'sample-key' },
  'key-header': { type: 'string', default: 'x-goog-api-key' },
  project: { type: 'string', default: 'sample' },
  location: { type: 'string', default: 'us-central1' },
  options: { type: 'string', default: 'none' },
  'generation-seconds': { type: 'string', default: '2' },
  'cache-dir': { type: 'string', default: join('.local', 'sample-generator') },
} as const;

const parse = (args: string[]) => readOptions({ args, options: OPTIONS }).values;

const STYLES = ['none', 'metadata', 'top-level', 'media-generation'] as const;

const readChoice = <const T extends string>(name: string, text: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Refusal(`--${name} must be one of ${choices.join(', ')}.`);
  return found;
};

type Given = {
  readonly access: Readonly<Record<'apiKey' | 'keyHeader' | 'project' | 'location', string>>;
  readonly style: (typeof STYLES)[number];
  readonly options: { readonly port: number; readonly cacheDir: string };
};
type Samples = typeof import('../lib/sample-generator/server.ts');

/** Starts the generator of a protocol; the hint says how clients get in. */
type Start = (
  samples: Samples,
  given: Given,
) => Promise<{ readonly generator: SampleGenerator; readonly hint: string }>;

const bearer = (apiKey: string): string => `send Authorization: Bearer ${apiKey}`;

const STARTS: Readonly<Record<Protocol, Start>> = {
  gemini: async (samples, { options, access: { apiKey, keyHeader } }) => ({
    generator: await samples.startSampleGenerator({ ...options, apiKey, keyHeader }),
    hint: `send ${keyHeader}: ${apiKey}`,
  }),
  /** Accepts a new service account, whose key is written to a file. */
  vertex: async (samples, { options, access: { project, location } }) => {
    const generator = await samples.startSampleVertex({ ...options, project, location });
    const file = join(options.cacheDir, 'service-account.json');
    await mkdir(options.cacheDir, { recursive: true });
    const account = JSON.stringify(generator.identity.createServiceAccount(), null, 2);
    await writeFile(file, account, { mode: 0o600 });
    return { generator, hint: `the credential is in ${file}` };
  },
  openrouter: async (samples, { options, access: { apiKey } }) => ({
    generator: await samples.startSampleOpenRouter({ ...options, apiKey }),
    hint: `${bearer(apiKey)}; paths begin with /api/v1`,
  }),
  openai: async (samples, { options, style, access: { apiKey } }) => ({
    generator: await samples.startSampleOpenAi({ ...options, apiKey, options: style }),
    hint: bearer(apiKey),
  }),
};
const isProtocol = (name: string): name is Protocol => Object.hasOwn(STARTS, name);
const KINDS = Object.keys(STARTS).filter(isProtocol);

const readSettings = (values: ReturnType<typeof parse>) => {
  const {
    name,
    project,
    location,
    'cache-dir': cacheDir,
    'key-header': keyHeader,
    'api-key': apiKey,
  } = values;
  return {
    start: STARTS[readChoice('kind', values.kind, KINDS)],
    style: readChoice('options', values.options, STYLES),
    access: { apiKey, keyHeader, project, location },
    options: {
      port: readNumber('port', values.port, 0, 65_535),
      name,
      cacheDir,
      generationSeconds: readNumber('generation-seconds', values['generation-seconds']),
    },
  };
};

await runCommand(USAGE, async (args) => {
  const { start, ...given } = readSettings(parse(args));
  // Imported late, so that wrong options are reported at once.
  const { generator, hint } = await start(await import('../lib/sample-generator/server.ts'), given);
  console.log(`The sample generator listens on ${generator.url}; ${hint}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.close());
});
