import { Refusal, readNumber, readOptions } from '../../command.ts';
import { LocalCloudError, storageFailure } from '../errors.ts';
import type { Service, StartOptions } from './start.ts';

const USAGE = `Runs the whole service on this machine.

Usage: npm start -- [options]

  --port N       port of the API (default 8787)
  --data DIR     data folder (default .local)
  --reset        start with empty data
  --upstreams N  sample generators to choose from, 1–6 (default 1): with 6, one of every kind of upstream
  --verbose      show the functions' own logs
  --help         show this text`;

const PARENT = process.ppid;
const PARENT_CHECK_MILLISECONDS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Shorter than people wait before they press Ctrl-C again. */
const STOP_MILLISECONDS = 2_700;

/** Runs `npm start` until a signal and returns the exit code. */
export const run = async (args: readonly string[], service: Service): Promise<number> => {
  // The service keeps running if nobody reads its output any more.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  // Prompts, keys and videos are private.
  process.umask(0o077);
  try {
    const options = readSettings(args);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    const started = performance.now();
    // Loaded late, so that a wrong option is reported at once.
    const { startService } = await import('./start.ts');
    // Until it runs, a signal simply ends this process and its children.
    const running = await startService(options, service, print);
    const signal = nextSignal();
    print(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s. Press Ctrl-C to stop.\n`);
    print(`Open the console (the link works once, for 15 minutes):\n\n${running.signInUrl}\n`);
    print(`Base URL  ${running.baseUrl}\nAPI key   ${running.apiKey}\n`);
    print(`Create a video, line by line:\n\n${quickStart(running).join('\n\n')}\n`);
    const failure = await Promise.race([signal, parentGone(), running.failed]);
    if (failure === undefined) print('Stopping.');
    else console.error(failure.message);
    await Promise.race([running.close(), new Promise((resolve) => setTimeout(resolve, STOP_MILLISECONDS))]);
    return failure === undefined ? 0 : 1;
  } catch (error) {
    console.error(describeError(error));
    if (args.includes('--verbose')) console.error(error);
    return 1;
  }
};

const OPTIONS = {
  port: { type: 'string', default: '8787' },
  data: { type: 'string', default: '.local' },
  upstreams: { type: 'string' },
  reset: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const readSettings = (args: readonly string[]): StartOptions => {
  const { port, data, upstreams, ...flags } = readOptions({ args: [...args], options: OPTIONS }).values;
  if (data === '') throw new LocalCloudError('--data requires the name of a folder.');
  return {
    port: readNumber('port', port, 0, 65_535),
    folder: data,
    upstreams: upstreams === undefined ? undefined : readNumber('upstreams', upstreams, 1, 6),
    ...flags,
  };
};

const describeError = (error: unknown): string => {
  const failure = storageFailure(error);
  if (failure !== undefined)
    return `${failure.words}: free some space for the data folder, then start again.`;
  if (error instanceof Refusal) return error.message;
  const [reason] = String(error instanceof Error ? error.message : error).split('\n');
  return `The local cloud cannot start: ${reason} (use --verbose for details)`;
};

/** Ignores further signals, such as the copy that npm sends. */
const nextSignal = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.on(signal, () => resolve());
  return promise;
};

/** Resolves when the parent process has exited: a killed npm or shell sends no signal. */
const parentGone = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    resolve();
  }, PARENT_CHECK_MILLISECONDS);
  timer.unref();
  return promise;
};

const print = (line: string) => console.log(line);

type Access = {
  readonly baseUrl: string;
  readonly apiKey: string;
};

/** Shell commands to create and download a video. */
export const quickStart = ({ baseUrl, apiKey }: Access): readonly string[] => {
  const key = `-H 'Authorization: Bearer ${apiKey}'`;
  const request = JSON.stringify({
    model: 'video-3.1-fast-generate-preview',
    prompt: 'A paper boat drifts across a quiet lake at sunrise',
  });
  const create = `curl -sS ${baseUrl}/v1/videos ${key} -H 'Content-Type: application/json' -d '${request}'`;
  const poll = `curl -sS ${baseUrl}/v1/videos/$TASK ${key}`;
  const isFinished = `grep -qE '"status":"(completed|failed)"|"error":[{]'`;
  return [
    `ANSWER=$(${create}); echo "$ANSWER"; TASK=$(echo "$ANSWER" | grep -o 'task_[[:alnum:]_-]*' | head -n 1)`,
    `until ANSWER=$(${poll}); echo "$ANSWER"; echo "$ANSWER" | ${isFinished}; do sleep 2; done`,
    `curl -sSL --fail ${baseUrl}/v1/videos/$TASK/content ${key} -o video.mp4 && ls -l video.mp4`,
  ];
};
