import { type Api, connect, Unreachable } from './api.ts';
import { consoleChecks } from './checks/console.ts';
import { googleUploadCheck, uploadCheck } from './checks/files.ts';
import { imageChecks } from './checks/images.ts';
import { PREFLIGHT_CHECK, preflightCheck, refusalChecks, requestChecks } from './checks/requests.ts';
import {
  firstFrameSeries,
  framesCheck,
  longChecks,
  referencesCheck,
  textVideoSeries,
} from './checks/videos.ts';
import { webhookCheck } from './checks/webhooks.ts';
import { readOptions, type SmokeOptions, USAGE, UsageError } from './options.ts';
import { type Plan, runChecks } from './run-checks.ts';
import { trackTasks } from './tasks.ts';

const planChecks = ({ long, sampleGenerator, origin }: SmokeOptions): Plan => ({
  series: [
    ...[...refusalChecks, ...consoleChecks, ...requestChecks].map((check) => [check]),
    ...(origin === undefined ? [] : [[preflightCheck(origin)]]),
    [uploadCheck],
    [googleUploadCheck],
    [webhookCheck],
    textVideoSeries(),
    firstFrameSeries(),
    [framesCheck],
    [referencesCheck],
    ...imageChecks.map((check) => [check]),
    ...(long && sampleGenerator ? longChecks.map((check) => [check]) : []),
  ],
  skipped: [
    ...(origin === undefined ? [`${PREFLIGHT_CHECK}: set --origin to an origin of allowedOrigins`] : []),
    ...(long && !sampleGenerator
      ? longChecks.map(({ name }) => `${name}: requires the sample generator`)
      : []),
  ],
});

const describeQuantities = ({ series }: Plan): string => {
  const checks = series.flat();
  const seconds = checks.reduce((sum, { videoSeconds = 0 }) => sum + videoSeconds, 0);
  const images = checks.reduce((sum, check) => sum + (check.images ?? 0), 0);
  return `${seconds} seconds of video and ${images} images in 4K`;
};

export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Asks a person; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly interrupted: AbortSignal;
};

/** How long to wait for unfinished tasks, which cannot be removed. */
const CLEANUP_TIMEOUT_MS = { ended: 60_000, interrupted: 15_000 } as const;

/** Removes the API key and signatures from all output. */
const withoutSecrets =
  ({ apiKey }: SmokeOptions, print: (line: string) => void) =>
  (line: string): void =>
    print(line.replaceAll(apiKey, '[key]').replace(/\?[^\s"]*X-Amz-[^\s"]*/g, '?[signature]'));

/** Says in one sentence that the service is unreachable or rejects the API key, in which case no check could pass. */
const findObstacle = async (api: Api, { baseUrl }: SmokeOptions): Promise<string | undefined> => {
  try {
    const { status } = await api.call('GET', '/v1/models', { timeoutSeconds: 30 });
    if (status === 200) return undefined;
    if (status === 401) return `The service at ${baseUrl} does not accept this key.`;
    return `${baseUrl} does not answer like the service: GET /v1/models returned ${status} instead of 200.`;
  } catch (error) {
    if (error instanceof Unreachable) return `${baseUrl} cannot be reached: ${error.reason}.`;
    throw error;
  }
};

const mayStart = async (options: SmokeOptions, { ask }: Surroundings): Promise<boolean> => {
  if (options.loopback || options.yes) return true;
  if (ask === undefined)
    throw new UsageError('The upstream may charge for this: add --yes to start without confirmation.');
  return /^y(es)?$/i.test((await ask('Continue? [y/N] ')).trim());
};

const check = async (options: SmokeOptions, surroundings: Surroundings): Promise<number> => {
  const print = withoutSecrets(options, surroundings.print);
  const api = connect(options, surroundings.interrupted);
  const obstacle = await findObstacle(api, options);
  if (obstacle !== undefined) {
    withoutSecrets(options, surroundings.printError)(obstacle);
    return 1;
  }
  const plan = planChecks(options);
  print(`The checks of ${options.baseUrl} will generate ${describeQuantities(plan)}.`);
  if (!(await mayStart(options, surroundings))) return 1;
  const tasks = trackTasks(api);
  try {
    return (await runChecks(plan, { api, tasks }, print)) ? 0 : 1;
  } finally {
    const left = await tasks.removeAll(CLEANUP_TIMEOUT_MS[api.interrupted.aborted ? 'interrupted' : 'ended']);
    if (left.length > 0) print(`Not deleted, because they have not ended: ${left.join(', ')}`);
  }
};

/** Runs the command and returns its exit code: 0 if all checks passed, 1 if not, 2 for wrong options. */
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
