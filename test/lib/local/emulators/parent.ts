import { startEmulators } from '../../../../lib/local/emulators/start.ts';
import { optionsFor } from './emulated.ts';

// A parent to be killed: prints its child's data, then waits.
const emulators = await startEmulators(optionsFor(process.argv[2] ?? ''));
console.log(JSON.stringify({ endpoint: emulators.endpoint, pid: emulators.pid }));
