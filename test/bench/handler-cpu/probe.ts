import { pathToFileURL } from 'node:url';

/**
 * Reports the CPU milliseconds per call of a handler, of its SDK commands and of a plain HTTP exchange. They take turns
 * after every call, so that whatever else happens on the machine affects all of them, and share one copy of the SDK.
 */
const { BENCH_ROUNDS = '', BENCH_CALLS = '', BENCH_WARM_UP = '' } = process.env;
const [rounds, calls, warmUp] = [Number(BENCH_ROUNDS), Number(BENCH_CALLS), Number(BENCH_WARM_UP)];

const [, , bundle = '', event = ''] = process.argv;
const { handler, sdk, exchange } = await import(pathToFileURL(bundle).href);

/**
 * Of this thread: those of the JIT compiler have their own. Linux counts the time of a running thread only every few
 * milliseconds; asking for the time of the process brings it up to date.
 */
const cpuMilliseconds = (): number => {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const measure = async (act: () => Promise<unknown>): Promise<number> => {
  const before = cpuMilliseconds();
  await act();
  return cpuMilliseconds() - before;
};

/** Lambda parses each event before it calls the handler. */
const measureHandler = (): Promise<number> => {
  const parsed = JSON.parse(event);
  return measure(async () => {
    const { statusCode, body } = await handler(parsed);
    if (statusCode !== 200) throw new Error(`the handler answers ${statusCode}: ${body}`);
  });
};

const measured: (readonly [handler: number, sdk: number, plain: number])[] = [];
for (let round = 0; round < warmUp + rounds; round += 1) {
  let [own, commands, plain] = [0, 0, 0];
  for (let done = 0; done < calls; done += 1) {
    // In another order every other time, so that neither always follows the plain exchange.
    if (done % 2 === 0) own += await measureHandler();
    commands += await measure(sdk);
    if (done % 2 === 1) own += await measureHandler();
    plain += await measure(exchange);
  }
  if (round >= warmUp) measured.push([own / calls, commands / calls, plain / calls]);
}
process.send?.(measured);
