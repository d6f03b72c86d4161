import { pathToFileURL } from 'node:url';

/**
 * Reports the CPU milliseconds per call of a handler, of its SDK commands and of a plain HTTP exchange. They take turns in
 * short rounds, so that whatever else happens on the machine affects all of them, and share one copy of the SDK.
 */
const { BENCH_ROUNDS = '', BENCH_CALLS = '', BENCH_WARM_UP = '' } = process.env;
const [rounds, calls, warmUp] = [Number(BENCH_ROUNDS), Number(BENCH_CALLS), Number(BENCH_WARM_UP)];

const [, , bundle = '', event = ''] = process.argv;
const { handler, sdk, exchange } = await import(pathToFileURL(bundle).href);
/** Lambda parses each event before it calls the handler. */
const parseEvents = (): unknown[] => Array.from({ length: calls }, () => JSON.parse(event));
let events: unknown[] = [];

const callHandler = async (): Promise<void> => {
  const { statusCode, body } = await handler(events.pop());
  if (statusCode !== 200) throw new Error(`the handler answers ${statusCode}: ${body}`);
};

/** Of this thread: those of the JIT compiler have their own. */
const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const measure = async (act: () => Promise<unknown>): Promise<number> => {
  const before = cpuMilliseconds();
  for (let done = 0; done < calls; done += 1) await act();
  return (cpuMilliseconds() - before) / calls;
};

const measured: (readonly [handler: number, sdk: number, plain: number])[] = [];
for (let round = 0; round < warmUp + rounds; round += 1) {
  events = parseEvents();
  // In reverse order every other time, so that none always follows the same one.
  const isForward = round % 2 === 0;
  const first = isForward ? await measure(callHandler) : await measure(sdk);
  const second = isForward ? await measure(sdk) : await measure(callHandler);
  const plain = await measure(exchange);
  if (round >= warmUp) measured.push(isForward ? [first, second, plain] : [second, first, plain]);
}
process.send?.(measured);
