import { AsyncLocalStorage } from 'node:async_hooks';
import type { FromFunction, StartChild } from '../../lib/local/functions/function-process.ts';
import { createRuntime, errorPayload } from '../../lib/local/functions/runtime-events.ts';
import { awslambda, loadHandler } from '../../lib/local/functions/runtime-handler.ts';
import { withSharedPackages } from './shared-packages.ts';

/**
 * Runs the bundles of functions in this process, because a process takes longer to start than most tests take. Where the
 * local cloud would start a process, this loads a copy of the function, with a state and an environment of its own.
 */

type Surroundings = {
  readonly environment: Record<string, string | undefined>;
  readonly onLine: (line: string) => void;
};

const surroundings = new AsyncLocalStorage<Surroundings>();

/** Code of a function sees its own variables and no others, and writes to its own log. */
const separateFunctions = (): void => {
  const own = process.env;
  process.env = new Proxy(own, {
    get: (_, name) => Reflect.get(surroundings.getStore()?.environment ?? own, name),
    set: (_, name, value) => Reflect.set(surroundings.getStore()?.environment ?? own, name, value),
    has: (_, name) => Reflect.has(surroundings.getStore()?.environment ?? own, name),
    deleteProperty: (_, name) => Reflect.deleteProperty(surroundings.getStore()?.environment ?? own, name),
    ownKeys: () => Reflect.ownKeys(surroundings.getStore()?.environment ?? own),
    getOwnPropertyDescriptor: (_, name) =>
      Reflect.getOwnPropertyDescriptor(surroundings.getStore()?.environment ?? own, name),
  });
  for (const output of [process.stdout, process.stderr]) {
    const write = output.write.bind(output);
    Object.assign(output, {
      write: (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
        const inside = surroundings.getStore();
        if (inside === undefined) return Reflect.apply(write, output, [chunk, ...rest]);
        for (const line of String(chunk).trimEnd().split('\n')) inside.onLine(line);
        return true;
      },
    });
  }
  Object.assign(globalThis, { awslambda });
};

let isSeparated = false;
const running = new Map<() => void, string>();

const copies = new Map<string, number>();

const loadCopy = (code: string, handler: string): ReturnType<typeof loadHandler> => {
  const copy = copies.get(code) ?? 0;
  copies.set(code, copy + 1);
  return loadHandler(code, handler, `?${copy}`);
};

/** Ends the functions whose names match, as a crash of their processes would. */
export const endFunctions = (name: RegExp): void => {
  for (const [kill, found] of running) if (name.test(found)) kill();
};

const startAs =
  (findCode: (bundle: string) => Promise<string>): StartChild =>
  ({ bundle, environment, onLine }, { onMessage, onExit }) => {
    if (!isSeparated) separateFunctions();
    isSeparated = true;
    let isEnded = false;
    const sendToHost = (message: FromFunction): void => {
      // What the host does must not happen in the surroundings of the function.
      if (!isEnded) surroundings.exit(() => onMessage(message));
    };
    const inside = <Result>(act: () => Result): Result =>
      surroundings.run({ environment: { ...environment }, onLine: onLine ?? (() => {}) }, act);
    const started = performance.now();
    const code = findCode(bundle);
    const runtime = inside(async () =>
      createRuntime(await loadCopy(await code, environment._HANDLER ?? ''), sendToHost),
    );
    runtime.then(
      () => sendToHost({ type: 'ready', initMilliseconds: performance.now() - started }),
      (error) => {
        inside(() => console.error(error));
        sendToHost({ type: 'failed-to-load', error: errorPayload(error) });
      },
    );
    const kill = (): void => {
      isEnded = true;
      running.delete(kill);
      onExit('signal: SIGKILL');
    };
    running.set(kill, environment.AWS_LAMBDA_FUNCTION_NAME ?? '');
    return {
      pid: undefined,
      send: (message) =>
        void inside(async () => {
          const { run, takeChunkAccepted } = await runtime;
          if (message.type === 'taken') takeChunkAccepted();
          else await run(message, () => 0);
        }),
      kill,
    };
  };

/** Runs the bundle that is deployed. */
export const startDeployed = startAs(async (bundle) => bundle);

/** Runs the function with packages that all functions of this process share: each call takes a third less time. */
export const startInThisProcess = startAs(withSharedPackages);
