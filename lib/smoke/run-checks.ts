import type { Check, CheckContext, Series } from './check.ts';
import { CheckFailure } from './check-failure.ts';
import type { Plan } from './plan.ts';

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

/** Runs all checks, prints a line for each and the verdict, and says whether all passed. */
export const runChecks = async (plan: Plan, context: CheckContext, print: Print): Promise<boolean> => {
  const start = Date.now();
  const passed = await Promise.all(plan.series.map((series) => runSeries(series, context, print)));
  for (const skipped of plan.skipped) print(line('skipped', skipped, ''));
  const [good, all] = [passed.reduce((sum, count) => sum + count, 0), plan.series.flat().length];
  print(`${good} of ${all} checks passed in ${Math.round((Date.now() - start) / 1000)} s`);
  return good === all;
};
