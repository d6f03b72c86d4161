import { type Api, connect, Unreachable } from './api.ts';
import { readOptions, type SmokeOptions, USAGE, UsageError } from './options.ts';
import { planChecks, quantitiesOf } from './plan.ts';
import { runChecks } from './run-checks.ts';
import { trackTasks } from './tasks.ts';

export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Puts a question to a person; undefined where there is nobody to ask. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly interrupted: AbortSignal;
};

/** A task that is under way cannot be removed: how long to wait for its end, by how the run ended. */
const CLEANUP_TIMEOUT_MS = { ended: 60_000, interrupted: 15_000 } as const;

/** What may never be shown, whoever put it into a message. */
const withoutSecrets =
  ({ apiKey }: SmokeOptions, print: (line: string) => void) =>
  (line: string): void =>
    print(line.replaceAll(apiKey, '[key]').replace(/\?[^\s"]*X-Amz-[^\s"]*/g, '?[signature]'));

/** One sentence where the service is not there or does not know the key: no check could pass then. */
const obstacleIn = async (api: Api, { baseUrl }: SmokeOptions): Promise<string | undefined> => {
  try {
    const { status } = await api.call('GET', '/v1/models', { timeoutSeconds: 30 });
    if (status === 200) return undefined;
    if (status === 401) return `The service at ${baseUrl} does not accept this key.`;
    return `${baseUrl} does not answer as the service does: GET /v1/models is ${status} instead of 200.`;
  } catch (error) {
    if (error instanceof Unreachable) return `${baseUrl} cannot be reached: ${error.reason}.`;
    throw error;
  }
};

const mayStart = async (options: SmokeOptions, { ask }: Surroundings): Promise<boolean> => {
  if (options.loopback || options.yes) return true;
  if (ask === undefined)
    throw new UsageError('The upstream may charge for this: add --yes to go ahead without a question.');
  return /^y(es)?$/i.test((await ask('Go ahead? [y/N] ')).trim());
};

const check = async (options: SmokeOptions, surroundings: Surroundings): Promise<number> => {
  const print = withoutSecrets(options, surroundings.print);
  const api = connect(options, surroundings.interrupted);
  const obstacle = await obstacleIn(api, options);
  if (obstacle !== undefined) {
    withoutSecrets(options, surroundings.printError)(obstacle);
    return 1;
  }
  const plan = planChecks(options);
  print(`The checks of ${options.baseUrl} will generate ${quantitiesOf(plan)}.`);
  if (!(await mayStart(options, surroundings))) return 1;
  const tasks = trackTasks(api);
  try {
    return (await runChecks(plan, { api, tasks }, print)) ? 0 : 1;
  } finally {
    const left = await tasks.removeAll(CLEANUP_TIMEOUT_MS[api.interrupted.aborted ? 'interrupted' : 'ended']);
    if (left.length > 0) print(`Not yet ended, and so not deleted: ${left.join(', ')}`);
  }
};

/** The whole command: 0 where every check passed, 1 where one did not, 2 for wrong options. */
export const runSmoke = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  try {
    const options = readOptions(args, surroundings.environment);
    if (options !== undefined) return await check(options, surroundings);
    surroundings.print(USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    surroundings.printError(error.message);
    return 2;
  }
};
