import { LocalCloudError } from '../local-cloud-error.ts';
import { readOptions, USAGE } from './options.ts';
import { type Service, startService } from './start.ts';
import { tour } from './tour.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** An end must not take longer than a person waits before the next Ctrl-C. */
const STOP_MILLISECONDS = 2_700;

/** `npm start`: runs until a signal; returns the exit code. */
export async function run(args: readonly string[], service: Service): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    const started = performance.now();
    // Until it runs, a signal simply ends this process, and the others end with it.
    const running = await startService(options, service, print);
    const asked = nextSignal();
    print(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s. Ctrl-C ends it.\n`);
    print(`Base URL  ${running.baseUrl}\nAPI key   ${running.apiKey}\n`);
    print(`Make a video, line by line:\n\n${tour(running)}\n`);
    await asked;
    print('Stopping.');
    await Promise.race([running.close(), new Promise((resolve) => setTimeout(resolve, STOP_MILLISECONDS))]);
    return 0;
  } catch (error) {
    if (!(error instanceof LocalCloudError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Further signals, such as npm's copy of the first, change nothing. */
function nextSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.on(signal, () => resolve());
  return promise;
}

const print = (line: string) => console.log(line);
