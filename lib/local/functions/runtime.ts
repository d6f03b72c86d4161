/** Entry point of a function's process: loads the bundle, then handles one event at a time. */
import { readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { FromFunction, ToFunction } from './function-process.ts';
import { createRuntime, errorPayload } from './runtime-events.ts';
import { awslambda, loadHandler } from './runtime-handler.ts';

const sendToHost = (message: FromFunction): void => {
  process.send?.(message);
};

/** On Linux, maxRSS includes the parent process; VmHWM does not. */
const peakMemoryMegabytes = (): number => {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
};

let isSaved = false;

/** Saved after the first event, when most code is compiled, because the process will be killed. */
const saveCompiledCode = (): void => {
  if (!isSaved) flushCompileCache();
  isSaved = true;
};

// The process ends with its host. Ctrl-C in the terminal must not end it.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});

// Passed as an argument, because the environment must be as on Lambda.
const [, , cacheFolder = ''] = process.argv;
if (cacheFolder !== '') enableCompileCache(cacheFolder);

// The endpoints of the local cloud have no TLS. As an ES module, `node:http` exports WebSocket, and thereby loads all of
// undici: a third of the CPU time of a start.
const http = process.getBuiltinModule('node:http');
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);

Object.assign(globalThis, { awslambda });
const { LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
const started = performance.now();
try {
  const runtime = createRuntime(await loadHandler(LAMBDA_TASK_ROOT, _HANDLER), sendToHost);
  process.on('message', (message: ToFunction) => {
    if (message.type === 'taken') runtime.takeChunkAccepted();
    else void runtime.run(message, peakMemoryMegabytes).then(saveCompiledCode);
  });
  sendToHost({ type: 'ready', initMilliseconds: performance.now() - started });
} catch (error) {
  console.error(error);
  sendToHost({ type: 'failed-to-load', error: errorPayload(error) });
}
