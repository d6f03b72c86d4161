import { misuse, readOptions as parseOptions, Refusal } from '../command.ts';
import { type Api, connect, Unreachable } from './api.ts';
import { type Offer, readOffer } from './offer.ts';
import { describeQuantities, type PlanOptions, planChecks } from './plan.ts';
import { runChecks } from './run-checks.ts';
import { trackTasks } from './tasks.ts';

export const USAGE = `Checks a running service from outside, as its clients use it.

Usage: npm run smoke -- --base-url URL --api-key KEY [options]

  --base-url URL       address of the service, including its stage
  --api-key KEY        an API key; default: the environment variable API_KEY
  --origin ORIGIN      an origin of the setting allowedOrigins, to check its preflight
                       (default for this machine: http://127.0.0.1:8080)
  --long               also check a generation over two minutes and a file over 20 MB
  --sample-generator   the upstream is the sample generator, which --long requires
                       (assumed on this machine)
  --yes                start without confirmation, although the upstream may cost money`;

type SmokeOptions = PlanOptions & {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The service runs on this machine and costs nothing. */
  readonly loopback: boolean;
  readonly yes: boolean;
};

const parse = (args: readonly string[]) =>
  parseOptions({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      'api-key': { type: 'string' },
      origin: { type: 'string' },
      long: { type: 'boolean', default: false },
      'sample-generator': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  }).values;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const readAddress = (text: string | undefined): URL => {
  if (text === undefined) throw misuse('--base-url is missing');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw misuse('--base-url must be an http or https address without a query');
  return url;
};

/** `npm start` allows any port of this host. */
const LOOPBACK_ORIGIN = 'http://127.0.0.1:8080';

const readOrigin = (text: string | undefined, loopback: boolean): string | undefined => {
  if (text === undefined) return loopback ? LOOPBACK_ORIGIN : undefined;
  if (URL.parse(text)?.origin !== text)
    throw misuse('--origin must be a scheme and a host, such as https://app.example.com');
  return text;
};

export const readOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SmokeOptions => {
  const values = parse(args);
  const url = readAddress(values['base-url']);
  const apiKey = values['api-key'] ?? environment.API_KEY ?? '';
  // Other characters are not allowed in a header, and the error of fetch would contain the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw misuse('--api-key is missing or invalid');
  const loopback = LOOPBACK.test(url.hostname);
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    apiKey,
    origin: readOrigin(values.origin, loopback),
    long: values.long,
    sampleGenerator: values['sample-generator'] || loopback,
    loopback,
    yes: values.yes,
  };
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

type Found = { readonly offer: Offer } | { readonly obstacle: string };

/** What the service offers, or one sentence about why no check could pass. */
const findOffer = async (api: Api, { baseUrl }: SmokeOptions): Promise<Found> => {
  try {
    const { status, json } = await api.call('GET', '/v1/models', { timeoutSeconds: 30 });
    if (status === 401) return { obstacle: `The service at ${baseUrl} does not accept this key.` };
    const document = await api.anonymous('GET', '/openapi.json');
    const offer = readOffer(json, document.json);
    if (status === 200 && offer !== undefined) return { offer };
    const seen = status === 200 ? 'lists none of its models' : `returned ${status} instead of 200`;
    return { obstacle: `${baseUrl} does not answer like the service: GET /v1/models ${seen}.` };
  } catch (error) {
    if (error instanceof Unreachable) return { obstacle: `${baseUrl} cannot be reached: ${error.reason}.` };
    throw error;
  }
};

const mayStart = async (options: SmokeOptions, { ask }: Surroundings): Promise<boolean> => {
  if (options.loopback || options.yes) return true;
  if (ask === undefined)
    throw new Refusal('The upstream may charge for this: add --yes to start without confirmation.');
  return /^y(es)?$/i.test((await ask('Continue? [y/N] ')).trim());
};

const describeRetries = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `${count} ${count === 1 ? 'request was' : 'requests were'} retried because the account's concurrent executions were used up; see the setting lambdaConcurrencyQuota.`;

const check = async (options: SmokeOptions, surroundings: Surroundings): Promise<number> => {
  const print = withoutSecrets(options, surroundings.print);
  const api = connect(options, surroundings.interrupted);
  const found = await findOffer(api, options);
  if ('obstacle' in found) {
    withoutSecrets(options, surroundings.printError)(found.obstacle);
    return 1;
  }
  const plan = planChecks(options, found.offer);
  print(`The checks of ${options.baseUrl} will generate ${describeQuantities(plan)}.`);
  if (!(await mayStart(options, surroundings))) return 1;
  const tasks = trackTasks(api);
  try {
    return (await runChecks(plan, { api, tasks }, print)) ? 0 : 1;
  } finally {
    const left = await tasks.removeAll(CLEANUP_TIMEOUT_MS[api.interrupted.aborted ? 'interrupted' : 'ended']);
    if (left.length > 0) print(`Not deleted, because they have not ended: ${left.join(', ')}`);
    const retried = describeRetries(api.retries.count());
    if (retried !== undefined) print(retried);
  }
};

/** Runs the command and returns its exit code: 0 if all checks passed, 1 if not, 2 for wrong options. */
export const runSmoke = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  try {
    return await check(readOptions(args, surroundings.environment), surroundings);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    surroundings.printError(error.message);
    return 2;
  }
};
