import { parseArgs } from 'node:util';
import { readConfig } from '../../lib/config.ts';

const { workerConcurrency, maxQueueMinutes } = readConfig({});

export const USAGE = `Runs the service's own decisions over a simulated cloud, in virtual time.

Usage: npm run simulate -- --tasks-per-hour N [options]

  --tasks-per-hour N        videos that clients create in an hour
  --generation TIME         how long the upstream takes for one, as a rule (default 60s)
  --upstream-rpm N          calls a minute that the upstream takes (default: no limit)
  --load TIME               how long clients create videos (default 1h)
  --outage TIME             the upstream fails for this long in the middle (default: none)
  --worker-concurrency N    the stack's workerConcurrency (default ${workerConcurrency}, as in a new account)
  --accounts N              accounts that the videos belong to (default 10)
  --noisy PERCENT           share of the videos that one of the accounts creates (default: as the others)
  --max-queue TIME          the stack's maxQueueMinutes (default ${maxQueueMinutes}m)
  --lose PERCENT            share of the messages that get lost (default 0)
  --submits-per-minute N    the upstream's submitsPerMinute (default: no limit)
  --videos-at-once N        the upstream's videosAtOnce (default: no limit)
  --later N                 videos of one more account, created at once some time later (default 0)
  --later-after TIME        when they are created (default 10m)
  --seed N                  another seed, another run (default 1)
  --goals                   fail if a goal for a service under overload is missed
  --help                    show this text`;

export type SimulationOptions = {
  readonly tasks: number;
  readonly hours: number;
  /** Share of the messages that get lost, 0 to 1. */
  readonly lost: number;
  /** All times in milliseconds. */
  readonly generation: number;
  readonly outage: number;
  readonly callsAMinute: number;
  readonly workers: number;
  readonly accounts: number;
  /** Share of the tasks that belong to the first account, 0 to 1; undefined where all are alike. */
  readonly noisyShare: number | undefined;
  readonly maxQueue: number;
  readonly submitsPerMinute: number | undefined;
  readonly videosAtOnce: number | undefined;
  readonly later: { readonly tasks: number; readonly after: number };
  readonly seed: number;
  /** Whether a missed goal is an error. */
  readonly hasGoals: boolean;
};

export class UsageError extends Error {}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

const readTime = (name: string, text: string): number => {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  if (unit !== 's' && unit !== 'm' && unit !== 'h')
    throw new UsageError(`--${name} takes a time such as 60s, 20m or 2h, not ${text}.`);
  return Number(digits) * UNITS[unit];
};

const readNumber = (name: string, text: string, least = 1): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new UsageError(`--${name} takes a whole number from ${least} on, not ${text}.`);
  return Number(text);
};

const readLimit = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : readNumber(name, text);

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'tasks-per-hour': { type: 'string' },
        generation: { type: 'string', default: '60s' },
        'upstream-rpm': { type: 'string' },
        load: { type: 'string', default: '1h' },
        lose: { type: 'string', default: '0' },
        outage: { type: 'string', default: '0s' },
        'worker-concurrency': { type: 'string', default: String(workerConcurrency) },
        accounts: { type: 'string', default: '10' },
        noisy: { type: 'string' },
        'max-queue': { type: 'string', default: `${maxQueueMinutes}m` },
        'submits-per-minute': { type: 'string' },
        'videos-at-once': { type: 'string' },
        later: { type: 'string', default: '0' },
        'later-after': { type: 'string', default: '10m' },
        seed: { type: 'string', default: '1' },
        goals: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('. ') : [];
    throw new UsageError(`${reason.replace(/\.$/, '')}; --help lists the options.`, { cause });
  }
};

/** The options, or undefined where only the help is asked for. */
export const readOptions = (args: readonly string[]): SimulationOptions | undefined => {
  const values = parse(args);
  if (values.help) return undefined;
  const perHour = values['tasks-per-hour'];
  const rpm = values['upstream-rpm'];
  if (perHour === undefined) throw new UsageError('--tasks-per-hour is missing; --help lists the options.');
  const hours = readTime('load', values.load) / UNITS.h;
  return {
    hours,
    tasks: Math.ceil(readNumber('tasks-per-hour', perHour) * hours),
    lost: readNumber('lose', values.lose, 0) / 100,
    generation: readTime('generation', values.generation),
    outage: readTime('outage', values.outage),
    callsAMinute: rpm === undefined ? Number.POSITIVE_INFINITY : readNumber('upstream-rpm', rpm),
    // SQS event sources take no smaller limit.
    workers: readNumber('worker-concurrency', values['worker-concurrency'], 2),
    accounts: readNumber('accounts', values.accounts),
    noisyShare: values.noisy === undefined ? undefined : Math.min(1, readNumber('noisy', values.noisy) / 100),
    maxQueue: readTime('max-queue', values['max-queue']),
    submitsPerMinute: readLimit('submits-per-minute', values['submits-per-minute']),
    videosAtOnce: readLimit('videos-at-once', values['videos-at-once']),
    later: {
      tasks: readNumber('later', values.later, 0),
      after: readTime('later-after', values['later-after']),
    },
    seed: readNumber('seed', values.seed),
    hasGoals: values.goals,
  };
};
