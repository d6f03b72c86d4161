import { pathToFileURL } from 'node:url';

/** Reports the CPU milliseconds per call of a handler, after enough calls for the JIT compiler. */
const { BENCH_CALLS = '500' } = process.env;
const CALLS = Number(BENCH_CALLS);
const WARM_UP = 2 * CALLS;

type Handler = (event: unknown) => Promise<{ readonly statusCode?: number } | undefined>;

const [, , bundle = '', event = '{}'] = process.argv;
const handler: Handler = (await import(pathToFileURL(bundle).href)).handler;

const callMany = async (calls: number): Promise<number> => {
  const before = process.cpuUsage();
  for (let done = 0; done < calls; done += 1) {
    const answer = await handler(JSON.parse(event));
    if (answer?.statusCode !== undefined && answer.statusCode !== 200)
      throw new Error(`the handler answers ${answer.statusCode}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
};

await callMany(WARM_UP);
process.send?.(await callMany(CALLS));
