import { parentPort, workerData } from 'node:worker_threads';
import { ALL_SCENARIOS, reportOn } from './report.ts';

/** Runs scenarios by name on a thread of its own, where the test runner does not follow every promise. */
const { pairs, seed } = workerData;
// Most of the time that an expected error takes goes into its stack, which no report shows.
Error.stackTraceLimit = 0;
parentPort?.on('message', async (name: string) => {
  const scenario = ALL_SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario '${name}'`);
  parentPort?.postMessage(await reportOn(scenario, pairs, seed));
});
