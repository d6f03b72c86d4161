import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  startSampleGenerator,
  startSampleOpenAi,
  startSampleOpenRouter,
  startSampleVertex,
} from '../lib/sample-generator/server.ts';

const { values } = parseArgs({
  options: {
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
  },
});
const { name, project, location, 'cache-dir': cacheDir, 'key-header': keyHeader, 'api-key': apiKey } = values;
const options = {
  port: Number(values.port),
  name,
  cacheDir,
  generationSeconds: Number(values['generation-seconds']),
};
const bearer = `send Authorization: Bearer ${apiKey}`;

/** Ends the command with a message instead of a stack trace. */
const fail = (message: string): never => {
  console.error(message);
  process.exit(1);
};

const STYLES = ['none', 'metadata', 'top-level', 'media-generation'] as const;

const readStyle = () =>
  STYLES.find((style) => style === values.options) ?? fail(`--options must be one of ${STYLES.join(', ')}.`);

const STARTS = {
  gemini: async () => ({
    generator: await startSampleGenerator({ ...options, apiKey, keyHeader }),
    hint: `send ${keyHeader}: ${apiKey}`,
  }),
  /** Accepts a new service account, whose key is written to a file. */
  vertex: async () => {
    const vertex = await startSampleVertex({ ...options, project, location });
    const file = join(cacheDir, 'service-account.json');
    await mkdir(cacheDir, { recursive: true });
    await writeFile(file, JSON.stringify(vertex.identity.createServiceAccount(), null, 2), { mode: 0o600 });
    return { generator: vertex, hint: `the credential is in ${file}` };
  },
  openrouter: async () => ({
    generator: await startSampleOpenRouter({ ...options, apiKey }),
    hint: `${bearer}; paths begin with /api/v1`,
  }),
  openai: async () => ({
    generator: await startSampleOpenAi({ ...options, apiKey, options: readStyle() }),
    hint: bearer,
  }),
};

const isKind = (text: string): text is keyof typeof STARTS => Object.hasOwn(STARTS, text);
const kind = isKind(values.kind)
  ? values.kind
  : fail(`--kind must be one of ${Object.keys(STARTS).join(', ')}.`);

const { generator, hint } = await STARTS[kind]();
console.log(`The sample generator listens on ${generator.url}; ${hint}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.close());
