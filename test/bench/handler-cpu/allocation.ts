import { pathToFileURL } from 'node:url';

/** Reports the bytes that a call of a handler allocates; it runs without the JIT compiler, which leaves out some. */
const CALLS = 20;

const [, , bundle = '', event = ''] = process.argv;
const { handler } = await import(pathToFileURL(bundle).href);
const parsed = JSON.parse(event);

const callMany = async (): Promise<void> => {
  for (let done = 0; done < CALLS; done += 1) {
    const { statusCode, body } = await handler(parsed);
    if (statusCode !== 200) throw new Error(`the handler answers ${statusCode}: ${body}`);
  }
};

await callMany();
const before = process.memoryUsage().heapUsed;
await callMany();
process.send?.((process.memoryUsage().heapUsed - before) / CALLS);
