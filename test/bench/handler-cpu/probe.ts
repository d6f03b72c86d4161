import { pathToFileURL } from 'node:url';

/** Calls two handlers in turn and tells the CPU time of each, in milliseconds a call, block by block. */
const WARM_UP = 300;
const BLOCKS = 25;
const CALLS = 40;

type Handler = (event: unknown) => Promise<{ readonly statusCode?: number } | undefined>;

const [, , whole = '', sdkOnly = '', event = '{}'] = process.argv;
const load = async (bundle: string): Promise<Handler> => (await import(pathToFileURL(bundle).href)).handler;

const callMany = async (handler: Handler, calls: number): Promise<number> => {
  const before = process.cpuUsage();
  for (let done = 0; done < calls; done += 1) {
    const answer = await handler(JSON.parse(event));
    if (answer?.statusCode !== undefined && answer.statusCode !== 200)
      throw new Error(`the handler answers ${answer.statusCode}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
};

const [wholeHandler, sdkHandler] = [await load(whole), await load(sdkOnly)];
await callMany(wholeHandler, WARM_UP);
await callMany(sdkHandler, WARM_UP);
const costs: Record<'whole' | 'sdk', number[]> = { whole: [], sdk: [] };
for (let block = 0; block < BLOCKS; block += 1) {
  costs.whole.push(await callMany(wholeHandler, CALLS));
  costs.sdk.push(await callMany(sdkHandler, CALLS));
}
process.send?.(costs);
