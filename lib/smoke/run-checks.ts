import { CheckFailure } from './answers.ts';
import type { Api } from './api.ts';
import type { Tasks } from './tasks.ts';

type Connection = { readonly api: Api; readonly tasks: Tasks };

export type CheckContext = Connection & {
  /** Adds a remark to the line of a check that passes. */
  readonly note: (text: string) => void;
};

export type Check = {
  readonly name: string;
  /** Quantities that the check generates, shown before the run. */
  readonly videoSeconds?: number;
  readonly images?: number;
  readonly run: (context: CheckContext) => Promise<void>;
};

/** Checks that depend on each other and run in order: after a failure, the rest is not run. */
export type Series = readonly Check[];

export type Plan = {
  /** They start in this order, some of them at once. */
  readonly series: readonly Series[];
  /** Names of skipped checks, with the reason. */
  readonly skipped: readonly string[];
};

type Print = (line: string) => void;

const inSeconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

const NAME_WIDTH = 50;
const line = (result: string, name: string, rest: string): string =>
  `${result.padEnd(7)} ${rest === '' ? name : `${name.padEnd(NAME_WIDTH)} ${rest}`}`;

const runOne = async (check: Check, connection: Connection, print: Print): Promise<boolean> => {
  const start = Date.now();
  const notes: string[] = [];
  try {
    await check.run({ ...connection, note: (text) => notes.push(text) });
    print(line('ok', check.name, [inSeconds(start), ...notes].join('  ')));
    return true;
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    print(line('FAILED', check.name, `${inSeconds(start)}  ${error.message}`));
    return false;
  }
};

const runSeries = async (series: Series, connection: Connection, print: Print): Promise<number> => {
  let passed = 0;
  for (const check of series) {
    if (!(await runOne(check, connection, print))) break;
    passed += 1;
  }
  for (const { name } of series.slice(passed + 1)) print(line('not run', name, 'an earlier check failed'));
  return passed;
};

/** A new AWS account has four executions for requests and schedules, and the sample event of a webhook needs two. */
const SERIES_AT_ONCE = 3;

const generatesImages = (series: Series): boolean => series.some(({ images = 0 }) => images > 0);

/**
 * A request for images keeps a function busy for up to half a minute, so only one runs at a time. A runner that finds
 * only such series ends, because the runner of the current one takes them next.
 */
const runInTurn = async (all: readonly Series[], run: (series: Series) => Promise<void>): Promise<void> => {
  const waiting = [...all];
  let hasImages = false;
  const takeTurns = async (): Promise<void> => {
    for (;;) {
      const next = waiting.findIndex((series) => !hasImages || !generatesImages(series));
      const [series] = next < 0 ? [] : waiting.splice(next, 1);
      if (series === undefined) return;
      const isImages = generatesImages(series);
      if (isImages) hasImages = true;
      await run(series);
      if (isImages) hasImages = false;
    }
  };
  await Promise.all(Array.from({ length: SERIES_AT_ONCE }, takeTurns));
};

/** Runs all checks, prints the results, and returns whether all passed. */
export const runChecks = async (plan: Plan, connection: Connection, print: Print): Promise<boolean> => {
  const start = Date.now();
  let passed = 0;
  await runInTurn(plan.series, async (series) => {
    const count = await runSeries(series, connection, print);
    passed += count;
  });
  for (const skipped of plan.skipped) print(line('skipped', skipped, ''));
  const all = plan.series.flat().length;
  print(`${passed} of ${all} checks passed in ${Math.round((Date.now() - start) / 1000)} s`);
  return passed === all;
};
