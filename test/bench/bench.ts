import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Figure, judge, type Measurement } from './measurement.ts';
import { MEASUREMENTS } from './measurements.ts';
import { printTable, writeReport } from './report.ts';
import { prepareStage, type Stage } from './stage.ts';

const USAGE = `Measures the service on this machine, compares it with its budgets, and writes bench.json.

Usage: npm run bench -- [options]

  --only NAME  one measurement (may be repeated): ${MEASUREMENTS.map(({ name }) => name).join(', ')}
  --strict     exit code 1 if a budget is exceeded`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

const unknown = values.only.find((wanted) => !MEASUREMENTS.some(({ name }) => name === wanted));
const chosen = MEASUREMENTS.filter(({ name }) => values.only.length === 0 || values.only.includes(name));

const measureAll = async (stage: Stage, measurements: readonly Measurement[]): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const { title, measure } of measurements) {
    const started = performance.now();
    console.log(`${title} …`);
    figures.push(...(await measure(stage)));
    console.log(`${title}: ${secondsSince(started).toFixed(0)} s`);
  }
  return figures;
};

const run = async (measurements: readonly Measurement[]): Promise<number> => {
  const started = performance.now();
  console.log(`Load average: ${loadavg()[0]?.toFixed(1)}. Synthesis …`);
  const stage = await prepareStage();
  const figures = await measureAll(stage, measurements);
  console.log();
  printTable(figures);
  await writeReport(figures, secondsSince(started));
  const overBudget = figures.filter((figure) => judge(figure) === 'over budget');
  console.log(
    `\n${secondsSince(started).toFixed(0)} s; ${overBudget.length} over budget. bench.json has all figures.`,
  );
  return values.strict && overBudget.length > 0 ? 1 : 0;
};

if (values.help || unknown !== undefined) {
  console.log(unknown === undefined ? USAGE : `Unknown measurement: ${unknown}.\n\n${USAGE}`);
  process.exitCode = unknown === undefined ? 0 : 1;
} else {
  // A handle that a measurement left open must not keep the bench running.
  process.exit(await run(chosen));
}
