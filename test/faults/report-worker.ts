import { parentPort, workerData } from 'node:worker_threads';
import { reportOn } from './report.ts';
import { SCENARIOS } from './scenarios.ts';

/** Runs one scenario on a thread of its own, where the test runner does not follow every promise. */
const { name, pairs, seed } = workerData;
const scenario = SCENARIOS.find((one) => one.name === name);
if (scenario === undefined) throw new Error(`no scenario '${name}'`);
parentPort?.postMessage(await reportOn(scenario, pairs, seed));
