import { startEmulators } from '../../../../lib/local/emulators/start.ts';
import { optionsFor } from './emulated.ts';

// A parent to be killed: it says what it has started, then waits for its end.
const emulators = await startEmulators(optionsFor(process.argv[2] ?? ''));
console.log(JSON.stringify({ endpoint: emulators.endpoint, pid: emulators.pid }));
