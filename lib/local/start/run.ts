import { LocalCloudError, storageFailure } from '../errors.ts';
import { readOptions, USAGE } from './options.ts';
import type { Service } from './start.ts';

const PARENT = process.ppid;
const LOOK_MILLISECONDS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** An end must not take longer than a person waits before the next Ctrl-C. */
const STOP_MILLISECONDS = 2_700;

/** `npm start`: runs until a signal; returns the exit code. */
export const run = async (args: readonly string[], service: Service): Promise<number> => {
  // A reader of the output may go; the service stays.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  // Prompts, keys and videos are nobody else's.
  process.umask(0o077);
  try {
    const options = readOptions(args);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    const started = performance.now();
    // Loaded only now, so that a wrong option is told at once.
    const { startService } = await import('./start.ts');
    // Until it runs, a signal simply ends this process, and the others end with it.
    const running = await startService(options, service, print);
    const asked = nextSignal();
    print(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s. Ctrl-C ends it.\n`);
    print(`Open the console (the link works once, for 15 minutes):\n\n${running.signInUrl}\n`);
    print(`Base URL  ${running.baseUrl}\nAPI key   ${running.apiKey}\n`);
    print(`Make a video, line by line:\n\n${quickStart(running).join('\n\n')}\n`);
    const failure = await Promise.race([asked, parentGone(), running.failed]);
    if (failure === undefined) print('Stopping.');
    else console.error(failure.message);
    await Promise.race([running.close(), new Promise((resolve) => setTimeout(resolve, STOP_MILLISECONDS))]);
    return failure === undefined ? 0 : 1;
  } catch (error) {
    console.error(sentence(error));
    if (args.includes('--verbose')) console.error(error);
    return 1;
  }
};

const sentence = (error: unknown): string => {
  const failure = storageFailure(error);
  if (failure !== undefined) return `${failure.words}: make room for the data folder, then start again.`;
  if (error instanceof LocalCloudError) return error.message;
  const [reason] = String(error instanceof Error ? error.message : error).split('\n');
  return `The local cloud does not start: ${reason} (--verbose shows more)`;
};

/** Further signals, such as npm's copy of the first, change nothing. */
const nextSignal = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.on(signal, () => resolve());
  return promise;
};

/** Resolves when the process that started this one has ended: npm or a shell may be killed and send no signal. */
const parentGone = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    resolve();
  }, LOOK_MILLISECONDS);
  timer.unref();
  return promise;
};

const print = (line: string) => console.log(line);

type Access = {
  readonly baseUrl: string;
  readonly apiKey: string;
};

/** Lines to paste one by one, ending with a playable file. */
const quickStart = ({ baseUrl, apiKey }: Access): readonly string[] => {
  const key = `-H 'Authorization: Bearer ${apiKey}'`;
  const request = JSON.stringify({
    model: 'video-3.1-fast-generate-preview',
    prompt: 'A paper boat drifts across a quiet lake at sunrise',
  });
  const create = `curl -sS ${baseUrl}/v1/videos ${key} -H 'Content-Type: application/json' -d '${request}'`;
  const poll = `curl -sS ${baseUrl}/v1/videos/$TASK ${key}`;
  const isOver = `grep -qE '"status":"(completed|failed)"|"error":[{]'`;
  return [
    `ANSWER=$(${create}); echo "$ANSWER"; TASK=$(echo "$ANSWER" | grep -o 'task_[[:alnum:]_-]*' | head -n 1)`,
    `until ANSWER=$(${poll}); echo "$ANSWER"; echo "$ANSWER" | ${isOver}; do sleep 2; done`,
    `curl -sSL ${baseUrl}/v1/videos/$TASK/content ${key} -o video.mp4 && ls -l video.mp4`,
  ];
};
