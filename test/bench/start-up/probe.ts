import { pathToFileURL } from 'node:url';
import { awslambda } from '../../../lib/local/functions/runtime-handler.ts';

/** Reports the time to import a bundle, without the start of Node itself. */
Object.assign(globalThis, { awslambda });
const [, , bundle = ''] = process.argv;
const started = performance.now();
const before = process.cpuUsage();
await import(pathToFileURL(bundle).href);
const { user, system } = process.cpuUsage(before);
process.send?.({ processor: (user + system) / 1000, wall: performance.now() - started });
