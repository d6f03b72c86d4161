import { misuse, readOptions as parseOptions, Refusal } from '../../lib/command.ts';
import { readConfig } from '../../lib/config.ts';

const { workerConcurrency, maxQueueMinutes } = readConfig({});

/** Each option with its value, what it means, and its default, if it has one. */
const OPTIONS: Readonly<Record<string, readonly [value: string, meaning: string, usual?: string]>> = {
  'tasks-per-hour': ['N', 'videos that clients create in an hour'],
  generation: ['TIME', 'how long the upstream takes for one, as a rule', '60s'],
  'upstream-rpm': ['N', 'calls a minute that the upstream takes (default: no limit)'],
  load: ['TIME', 'how long clients create videos', '1h'],
  outage: ['TIME', 'the upstream fails for this long in the middle', '0s'],
  'worker-concurrency': ['N', "the stack's workerConcurrency", String(workerConcurrency)],
  accounts: ['N', 'accounts that the videos belong to', '10'],
  noisy: ['PERCENT', 'share of the videos that one of the accounts creates (default: as the others)'],
  'max-queue': ['TIME', "the stack's maxQueueMinutes", `${maxQueueMinutes}m`],
  lose: ['PERCENT', 'share of the messages that get lost', '0'],
  'submits-per-minute': ['N', "the upstream's submitsPerMinute (default: no limit)"],
  'videos-at-once': ['N', "the upstream's videosAtOnce (default: no limit)"],
  later: ['N', 'videos of one more account, created at once some time later', '0'],
  'later-after': ['TIME', 'when they are created', '10m'],
  seed: ['N', 'another seed, another run', '1'],
};

const usageLine = ([name, [value, meaning, usual]]: [string, (typeof OPTIONS)[string]]): string =>
  `  ${`--${name} ${value}`.padEnd(26)}${meaning}${usual === undefined ? '' : ` (default ${usual})`}`;

export const USAGE = `Runs the service's own decisions over a simulated cloud, in virtual time.

Usage: npm run simulate -- --tasks-per-hour N [options]

${Object.entries(OPTIONS).map(usageLine).join('\n')}
  --goals                   fail if a goal for a service under overload is missed`;

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

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

const readTime = (name: string, text: string): number => {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  if (unit !== 's' && unit !== 'm' && unit !== 'h')
    throw new Refusal(`--${name} takes a time such as 60s, 20m or 2h, not ${text}.`);
  return Number(digits) * UNITS[unit];
};

const readNumber = (name: string, text: string, least: number): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new Refusal(`--${name} takes a whole number from ${least} on, not ${text}.`);
  return Number(text);
};

const parse = (args: readonly string[]): Readonly<Record<string, unknown>> => {
  const given = Object.entries(OPTIONS).map(([name, [, , usual]]) => [
    name,
    { type: 'string', ...(usual !== undefined && { default: usual }) } as const,
  ]);
  const flag = { type: 'boolean', default: false } as const;
  return parseOptions({ args: [...args], options: { ...Object.fromEntries(given), goals: flag } }).values;
};

export const readOptions = (args: readonly string[]): SimulationOptions => {
  const values = parse(args);
  if (values['tasks-per-hour'] === undefined) throw misuse('--tasks-per-hour is missing');
  const time = (name: string) => readTime(name, String(values[name]));
  const count = (name: string, least = 1) => readNumber(name, String(values[name]), least);
  const limit = (name: string) => (values[name] === undefined ? undefined : count(name));
  const hours = time('load') / UNITS.h;
  const noisy = limit('noisy');
  return {
    hours,
    tasks: Math.ceil(count('tasks-per-hour') * hours),
    lost: count('lose', 0) / 100,
    generation: time('generation'),
    outage: time('outage'),
    callsAMinute: limit('upstream-rpm') ?? Number.POSITIVE_INFINITY,
    // SQS event sources take no smaller limit.
    workers: count('worker-concurrency', 2),
    accounts: count('accounts'),
    noisyShare: noisy === undefined ? undefined : Math.min(1, noisy / 100),
    maxQueue: time('max-queue'),
    submitsPerMinute: limit('submits-per-minute'),
    videosAtOnce: limit('videos-at-once'),
    later: { tasks: count('later', 0), after: time('later-after') },
    seed: count('seed'),
    hasGoals: values.goals === true,
  };
};
