import { type Api, CheckFailure } from './api.ts';
import type { Tasks } from './tasks.ts';

export type CheckContext = { readonly api: Api; readonly tasks: Tasks };

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
  /** Series run in parallel. */
  readonly series: readonly Series[];
  /** Names of skipped checks, with the reason. */
  readonly skipped: readonly string[];
};

type Print = (line: string) => void;

const inSeconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

const NAME_WIDTH = 50;
const line = (result: string, name: string, rest: string): string =>
  `${result.padEnd(7)} ${rest === '' ? name : `${name.padEnd(NAME_WIDTH)} ${rest}`}`;

const runOne = async (check: Check, context: CheckContext, print: Print): Promise<boolean> => {
  const start = Date.now();
  try {
    await check.run(context);
    print(line('ok', check.name, inSeconds(start)));
    return true;
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    print(line('FAILED', check.name, `${inSeconds(start)}  ${error.message}`));
    return false;
  }
};

const runSeries = async (series: Series, context: CheckContext, print: Print): Promise<number> => {
  let passed = 0;
  for (const check of series) {
    if (!(await runOne(check, context, print))) break;
    passed += 1;
  }
  for (const { name } of series.slice(passed + 1)) print(line('not run', name, 'an earlier check failed'));
  return passed;
};

/** Runs all checks, prints the results, and returns whether all passed. */
export const runChecks = async (plan: Plan, context: CheckContext, print: Print): Promise<boolean> => {
  const start = Date.now();
  const passed = await Promise.all(plan.series.map((series) => runSeries(series, context, print)));
  for (const skipped of plan.skipped) print(line('skipped', skipped, ''));
  const [good, all] = [passed.reduce((sum, count) => sum + count, 0), plan.series.flat().length];
  print(`${good} of ${all} checks passed in ${Math.round((Date.now() - start) / 1000)} s`);
  return good === all;
};
