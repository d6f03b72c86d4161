import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSampleGenerator } from '../lib/sample-generator/server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8089' },
    'api-key': { type: 'string', default: 'sample-key' },
    'key-header': { type: 'string', default: 'x-goog-api-key' },
    'generation-seconds': { type: 'string', default: '2' },
    'cache-dir': { type: 'string', default: join('.local', 'sample-generator') },
  },
});

const generator = await startSampleGenerator({
  port: Number(values.port),
  apiKey: values['api-key'],
  keyHeader: values['key-header'],
  cacheDir: values['cache-dir'],
  generationSeconds: Number(values['generation-seconds']),
});
console.log(
  `The sample generator listens on ${generator.url}; send ${values['key-header']}: ${values['api-key']}`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.close());
