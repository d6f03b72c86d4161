import { loadavg } from 'node:os';
import { misuse, readOptions, runCommand } from '../../lib/command.ts';
import { type Figure, judge, type Measurement } from './measurement.ts';
import { MEASUREMENTS } from './measurements.ts';

const USAGE = `Measures the service on this machine, compares it with its budgets, and writes bench.json.

Usage: npm run bench -- [options]

  --only NAME  one measurement (may be repeated): ${MEASUREMENTS.map(({ name }) => name).join(', ')}
  --strict     exit code 1 if a budget is exceeded
  --quick      runs each measurement once with its smallest size, to see that it works: the figures
               say nothing about the service, are not compared with budgets, and are not written

A measurement that fails is reported, the others still run, and the exit code is 1.`;

const OPTIONS = {
  only: { type: 'string', multiple: true },
  strict: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
} as const;

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

type Results = { readonly figures: readonly Figure[]; readonly failed: readonly string[] };

const measureAll = async (measurements: readonly Measurement[], quick: boolean): Promise<Results> => {
  // Imported late, so that wrong options are reported without loading CDK.
  const { prepareStage } = await import('./stage.ts');
  const stage = await prepareStage(quick);
  const [figures, failed]: [Figure[], string[]] = [[], []];
  for (const { name, title, measure } of measurements) {
    const started = performance.now();
    console.log(`${title} …`);
    try {
      figures.push(...(await measure(stage)));
      console.log(`${title}: ${secondsSince(started).toFixed(0)} s`);
    } catch (error) {
      failed.push(name);
      console.error(`${title} failed:`, error);
    }
  }
  await stage.close();
  return { figures, failed };
};

await runCommand(USAGE, async (args) => {
  const { only = [], strict, quick } = readOptions({ args, options: OPTIONS }).values;
  const unknown = only.find((wanted) => !MEASUREMENTS.some(({ name }) => name === wanted));
  if (unknown !== undefined) throw misuse(`There is no measurement ${unknown}`);
  const chosen = MEASUREMENTS.filter(({ name }) => only.length === 0 || only.includes(name));
  const started = performance.now();
  console.log(`Load average: ${loadavg()[0]?.toFixed(1)}. Synthesis …`);
  const { figures, failed } = await measureAll(chosen, quick);
  const { printTable, writeReport } = await import('./report.ts');
  console.log();
  printTable(figures, !quick);
  const overBudget = quick ? [] : figures.filter((figure) => judge(figure) === 'over budget');
  console.log(`\n${secondsSince(started).toFixed(0)} s; ${overBudget.length} over budget.`);
  if (!quick) await writeReport(figures, secondsSince(started));
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
  const isWrong = failed.length > 0 || (strict && overBudget.length > 0);
  // A handle that a measurement left open must not keep the bench running.
  process.exit(isWrong ? 1 : 0);
});
