import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LocalCloudError, storageError } from '../errors.ts';
import {
  type AwsCall,
  accessKeyId,
  type EmulatorOptions,
  FromChild,
  secretAccessKey,
  type ToChild,
} from './messages.ts';

/** Where a local cloud pretends to be. */
export const HOME = { region: 'us-east-1', accountId: '000000000000' };

export type ClientConfig = {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
};

export type { AwsCall, EmulatorOptions } from './messages.ts';

export type Emulators = {
  readonly endpoint: string;
  readonly pid: number;
  /** Resolves when the disk refuses data: from then on nothing is kept, and nothing is served. */
  readonly failed: Promise<LocalCloudError>;
  credentials(principal: string): { accessKeyId: string; secretAccessKey: string };
  calls(): Promise<readonly AwsCall[]>;
  clearCalls(): Promise<void>;
  /** Flushes and ends, within a second. */
  close(): Promise<void>;
};

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const RESTART_DELAY = 100;
const CLOSE_TIMEOUT_MS = 900;

// Compiled code is kept between starts: most of a start is the reading of sources.
const environment = () => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env });

const spawn = (): ChildProcess =>
  fork(CHILD, [], { execArgv: [], env: environment(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

const tell = (child: ChildProcess, message: ToChild): void => {
  if (child.connected) child.send(message, () => {});
};

/** Starts a child and resolves with its port. */
const launch = (child: ChildProcess, options: EmulatorOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(
        storageError(code, options.dataDir) ?? new Error(`The emulators ended at their start (${code}).`),
      ),
    );
    child.on('message', (message) => {
      const event = FromChild.parse(message);
      if (event.kind === 'ready') resolve(event.port);
      if (event.kind === 'failed') reject(new Error(event.reason));
    });
    tell(child, { kind: 'start', options });
  });

const ask = (child: ChildProcess, question: ToChild & { id: number }): Promise<FromChild> =>
  new Promise((resolve, reject) => {
    const settle = (message: unknown) => {
      const event = FromChild.parse(message);
      if ('id' in event && event.id === question.id) finish(() => resolve(event));
    };
    const fail = () => finish(() => reject(new Error('The emulators ended before they answered.')));
    const finish = (then: () => void) => {
      child.off('message', settle).off('exit', fail);
      then();
    };
    child.on('message', settle).once('exit', fail);
    if (child.connected) tell(child, question);
    else fail();
  });

export const startEmulators = async (options: EmulatorOptions): Promise<Emulators> => {
  let child = spawn();
  const port = await launch(child, options);
  let closing = false;
  let questions = 0;

  const failed = Promise.withResolvers<LocalCloudError>();

  const restart = () => {
    if (closing) return;
    child = spawn();
    child.once('exit', (code) => setTimeout(ended, RESTART_DELAY, code));
    // Its exit is what leads to the next try.
    launch(child, { ...options, port }).catch(() => {});
  };
  const ended = (code: number | null) => {
    const error = storageError(code, options.dataDir);
    if (error === undefined) restart();
    else failed.resolve(error);
  };
  child.once('exit', ended);

  return {
    endpoint: `http://127.0.0.1:${port}`,
    failed: failed.promise,
    get pid() {
      return child.pid ?? 0;
    },
    credentials(principal) {
      const keyId = accessKeyId(principal);
      return { accessKeyId: keyId, secretAccessKey: secretAccessKey(options.masterSecret, keyId) };
    },
    async calls() {
      const answer = await ask(child, { kind: 'calls', id: ++questions });
      return answer.kind === 'calls' ? answer.calls : [];
    },
    async clearCalls() {
      await ask(child, { kind: 'clear-calls', id: ++questions });
    },
    async close() {
      closing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      const killTimer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
      await ended;
      clearTimeout(killTimer);
    },
  };
};
