import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalCloudError, storageError } from '../errors.ts';
import {
  type AwsCall,
  accessKeyId,
  type EmulatorOptions,
  FromChild,
  type StackResources,
  secretAccessKey,
  type ToChild,
} from './messages.ts';

/** The region and account of a local cloud. */
export const HOME = { region: 'us-east-1', accountId: '000000000000' };

export type ClientConfig = {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
};

export type { AwsCall, EmulatorOptions, StackResources } from './messages.ts';

export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** The module that runs in the child process, or a bundle of it, which loads faster. */
export const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
export const BUNDLED_CHILD = 'LOCAL_EMULATORS_BUNDLE';

const RESTART_DELAY = 100;
const CLOSE_TIMEOUT_MS = 900;

// The compile cache speeds up the next start, which mostly loads sources.
const environment = () => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env });

/** Starts the process, which loads its modules and then waits for `startEmulators`. */
export const spawnEmulators = (): ChildProcess =>
  fork(process.env[BUNDLED_CHILD] ?? CHILD, [], {
    execArgv: [],
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const send = (child: ChildProcess, message: ToChild): void => {
  if (child.connected) child.send(message, () => {});
};

/** Resolves with the port of the child. */
const launch = (child: ChildProcess, options: EmulatorOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = (code: number | null) =>
      reject(
        storageError(code, options.dataDir) ??
          new Error(`The emulators exited during their start (${code}).`),
      );
    // A process that was spawned early may have exited before anyone listened.
    if (hasExited(child)) return fail(child.exitCode);
    child.once('exit', fail);
    const settle = (message: unknown) => {
      const event = FromChild.parse(message);
      if (event.kind === 'ready') resolve(event.port);
      if (event.kind === 'failed') reject(new Error(event.reason));
      // Lists of calls are long: only those who asked for them parse them.
      if (event.kind === 'ready' || event.kind === 'failed') child.off('message', settle);
    };
    child.on('message', settle);
    send(child, { kind: 'start', options });
  });

let requests = 0;

type Answered = Extract<FromChild, { id: number }>;

/** Sends a request to the child, and waits for the answer with its id. */
const ask = (child: ChildProcess, request: (id: number) => ToChild): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const id = ++requests;
    const settle = (received: unknown) => {
      const event = FromChild.parse(received);
      if ('id' in event && event.id === id) finish(() => resolve(event));
    };
    const fail = () => finish(() => reject(new Error('The emulators exited before they answered.')));
    const finish = (then: () => void) => {
      child.off('message', settle).off('exit', fail);
      then();
    };
    child.on('message', settle).once('exit', fail);
    if (child.connected) send(child, request(id));
    else fail();
  });

const requestCalls = async (child: ChildProcess, forget: boolean): Promise<readonly AwsCall[]> => {
  const answered = await ask(child, (id) => ({ kind: 'calls', id, forget }));
  return answered.kind === 'calls' ? answered.calls : [];
};

export const startEmulators = async (options: EmulatorOptions, spawned = spawnEmulators()) => {
  let child = spawned;
  let current: StackResources = options;
  const port = await launch(child, options);
  let closing = false;

  const failed = Promise.withResolvers<LocalCloudError>();

  const restart = () => {
    if (closing) return;
    child = spawnEmulators();
    child.once('exit', (code) => setTimeout(ended, RESTART_DELAY, code));
    // The exit handler retries.
    launch(child, { ...options, ...current, port }).catch(() => {});
  };
  const ended = (code: number | null) => {
    const error = storageError(code, options.dataDir);
    if (error === undefined) restart();
    else failed.resolve(error);
  };
  child.once('exit', ended);

  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** Resolves when the disk fails; the emulators do not run from then on. */
    failed: failed.promise,
    get pid() {
      return child.pid ?? 0;
    },
    credentials: (principal: string) => {
      const keyId = accessKeyId(principal);
      return { accessKeyId: keyId, secretAccessKey: secretAccessKey(options.masterSecret, keyId) };
    },
    /** Replaces the resources: those that are no longer named are deleted with their content. */
    provision: async (resources: StackResources): Promise<void> => {
      const answered = await ask(child, (id) => ({ kind: 'provision', id, resources }));
      if (answered.kind === 'provisioned' && answered.refused !== undefined)
        throw new LocalCloudError(answered.refused);
      current = resources;
    },
    calls: () => requestCalls(child, false),
    clearCalls: async (): Promise<void> => {
      await requestCalls(child, true);
    },
    /** Flushes and exits within a second. */
    close: async (): Promise<void> => {
      closing = true;
      if (hasExited(child)) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      const killTimer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
      await ended;
      clearTimeout(killTimer);
    },
  };
};
