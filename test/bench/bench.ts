import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Figure, type Measurement, toVerdict } from './measurement.ts';
import { MEASUREMENTS } from './measurements.ts';
import { printTable, writeReport } from './report.ts';
import { type Stage, setStage } from './stage.ts';

const USAGE = `Measures the service on this machine against its budgets, and writes bench.json.

Usage: npm run bench -- [options]

  --only NAME  one measurement (may be repeated): ${MEASUREMENTS.map(({ name }) => name).join(', ')}
  --strict     exit code 1 when a budget is not met`;

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
  console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}. Synthesis …`);
  const stage = await setStage();
  const figures = await measureAll(stage, measurements);
  console.log();
  printTable(figures);
  await writeReport(figures, secondsSince(started));
  const short = figures.filter((figure) => toVerdict(figure) === 'short');
  console.log(`\n${secondsSince(started).toFixed(0)} s; ${short.length} short. bench.json has all figures.`);
  return values.strict && short.length > 0 ? 1 : 0;
};

if (values.help || unknown !== undefined) {
  console.log(unknown === undefined ? USAGE : `There is no measurement ${unknown}.\n\n${USAGE}`);
  process.exitCode = unknown === undefined ? 0 : 1;
} else {
  // Nothing that a measurement left open may keep the bench from ending.
  process.exit(await run(chosen));
}
