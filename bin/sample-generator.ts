import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSampleGenerator, startSampleVertex } from '../lib/sample-generator/server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8089' },
    name: { type: 'string', default: '' },
    kind: { type: 'string', default: 'gemini' },
    'api-key': { type: 'string', default: 'sample-key' },
    'key-header': { type: 'string', default: 'x-goog-api-key' },
    project: { type: 'string', default: 'sample' },
    location: { type: 'string', default: 'us-central1' },
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

/** Vertex AI accepts a new service account, whose key is written to a file. */
const startVertex = async () => {
  const vertex = await startSampleVertex({ ...options, project, location });
  const file = join(cacheDir, 'service-account.json');
  await mkdir(cacheDir, { recursive: true });
  await writeFile(file, JSON.stringify(vertex.identity.createServiceAccount(), null, 2), { mode: 0o600 });
  return { generator: vertex, hint: `the credential is in ${file}` };
};

const startGemini = async () => ({
  generator: await startSampleGenerator({ ...options, apiKey, keyHeader }),
  hint: `send ${keyHeader}: ${apiKey}`,
});

const { generator, hint } = await (values.kind === 'vertex' ? startVertex() : startGemini());
console.log(`The sample generator listens on ${generator.url}; ${hint}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.close());
