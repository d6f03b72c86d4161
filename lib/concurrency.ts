import type { Feature } from '../functions/platform/domain/features.ts';

// Divides the account's concurrent executions among the queue consumers, API requests and scheduled functions.

/** The quota of a new AWS account: 2 for each of three consumers, and 4 for requests and schedules. */
export const NEW_ACCOUNT_QUOTA = 10;

/** Lambda accepts a maximum concurrency of 2 to 1,000 for an event source mapping. */
export const CONSUMER_RANGE = { least: 2, most: 1000 } as const;

/** Dead letters are rare, so their consumer always has the minimum. */
export const DEAD_LETTER_CONCURRENCY = CONSUMER_RANGE.least;

/** The rest is for API requests and scheduled functions. */
const CONSUMER_PERCENT = 60;

/** AWS rejects reservations that leave fewer executions for the functions without one. */
const LEAST_UNRESERVED = 100;

/** More workers help only above 10,000 videos an hour, and each of them calls the upstream. */
const MAX_BY_DEFAULT = 40;

type Quota = {
  readonly lambdaConcurrencyQuota: number;
  readonly reservedConcurrency: Readonly<Record<string, number>>;
};

type Given = Quota & {
  readonly features: readonly Feature[];
  readonly workerConcurrency?: number | undefined;
  readonly webhookConcurrency?: number | undefined;
};

export type ConsumerConcurrency = {
  readonly workerConcurrency: number;
  /** Undefined without the feature webhooks. */
  readonly webhookConcurrency: number | undefined;
};

const reservedTotal = ({ reservedConcurrency }: Quota): number =>
  Object.values(reservedConcurrency).reduce((sum, reserved) => sum + reserved, 0);

const unreserved = (quota: Quota): number => quota.lambdaConcurrencyQuota - reservedTotal(quota);

/** Executions for all consumers without a reservation. */
const consumerBudget = (quota: Quota): number => Math.floor((unreserved(quota) * CONSUMER_PERCENT) / 100);

/** Executions that the consumers leave to API requests and scheduled functions. */
export const requestExecutions = (quota: Quota): number => unreserved(quota) - consumerBudget(quota);

const inRange = (value: number, most: number = CONSUMER_RANGE.most): number =>
  Math.max(CONSUMER_RANGE.least, Math.min(value, most));

/** A consumer without a setting gets its reservation, or a fifth of the quota unless the other consumer leaves less. */
export const completeConcurrency = (given: Given): ConsumerConcurrency => {
  const share = Math.floor(unreserved(given) / 5);
  const choose = (own: number | undefined, other: number | undefined, functionName: string): number => {
    if (own !== undefined) return own;
    const reserved = given.reservedConcurrency[functionName];
    if (reserved !== undefined) return inRange(reserved);
    const left = consumerBudget(given) - DEAD_LETTER_CONCURRENCY - (other ?? share);
    return inRange(Math.min(share, left), MAX_BY_DEFAULT);
  };
  const { workerConcurrency, webhookConcurrency } = given;
  const hasWebhooks = given.features.includes('webhooks');
  return {
    workerConcurrency: choose(workerConcurrency, hasWebhooks ? webhookConcurrency : 0, 'video-worker'),
    webhookConcurrency: hasWebhooks
      ? choose(webhookConcurrency, workerConcurrency, 'webhook-worker')
      : undefined,
  };
};

export type BrokenRule = { readonly name: string; readonly message: string };

/** The first rule by which the settings use more executions than the account has. */
export const brokenConcurrencyRule = (settings: Quota & ConsumerConcurrency): BrokenRule | undefined => {
  const { lambdaConcurrencyQuota: quota, reservedConcurrency } = settings;
  const { workerConcurrency, webhookConcurrency } = settings;
  const total = reservedTotal(settings);
  const reservable = Math.max(0, quota - LEAST_UNRESERVED);
  if (total > reservable)
    return {
      name: 'reservedConcurrency',
      message:
        `reserves ${total}, and the sum must be at most ${reservable}: AWS keeps ${LEAST_UNRESERVED} of ` +
        `lambdaConcurrencyQuota (${quota}) for functions without a reservation`,
    };
  const consumers = [
    { name: 'video-worker', text: 'workerConcurrency', needed: workerConcurrency },
    ...(webhookConcurrency === undefined
      ? []
      : [{ name: 'webhook-worker', text: 'webhookConcurrency', needed: webhookConcurrency }]),
    { name: 'dead-letter', text: 'its fixed concurrency', needed: DEAD_LETTER_CONCURRENCY },
  ];
  const short = consumers.find(({ name, needed }) => (reservedConcurrency[name] ?? needed) < needed);
  if (short !== undefined)
    return {
      name: 'reservedConcurrency',
      message: `must give ${short.name} at least ${short.text} (${short.needed}), or omit it`,
    };
  const sharing = consumers.filter(({ name }) => reservedConcurrency[name] === undefined);
  const used = sharing.reduce((sum, { needed }) => sum + needed, 0);
  const budget = consumerBudget(settings);
  if (used <= budget) return undefined;
  const parts = sharing.map(({ name, text, needed }) =>
    name === 'dead-letter' ? `${needed} for dead-letter` : `${text} (${needed})`,
  );
  return {
    name: sharing[0]?.text ?? 'workerConcurrency',
    message:
      `${parts.join(' + ')} must be at most ${budget} in total: ${100 - CONSUMER_PERCENT} % of the ` +
      `${unreserved(settings)} unreserved executions of lambdaConcurrencyQuota (${quota}) are for API requests ` +
      `and scheduled functions; lower ${webhookConcurrency === undefined ? 'workerConcurrency (2 or more)' : 'workerConcurrency or webhookConcurrency (2 or more each)'}, ` +
      'or set lambdaConcurrencyQuota to the quota of the account',
  };
};
