import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from './build.ts';
import { type Figure, judge } from './measurement.ts';

const COLUMNS = ['name', 'measured', 'budget', 'verdict', 'note'] as const;

const countDecimals = (value: number): number => {
  if (Number.isInteger(value)) return 0;
  if (value >= 100) return 0;
  if (value >= 10) return 1;
  return value >= 1 ? 2 : 3;
};
const withUnit = (value: number, unit: string): string =>
  `${value.toFixed(countDecimals(value))} ${unit}`.trim();

const toRow = (figure: Figure, isJudged: boolean): readonly string[] => [
  figure.name,
  withUnit(figure.measured, figure.unit),
  figure.budget === undefined ? '' : `≤ ${withUnit(figure.budget, figure.unit)}`,
  figure.budget === undefined || !isJudged ? '' : judge(figure),
  figure.note,
];

export const printTable = (figures: readonly Figure[], isJudged: boolean): void => {
  const rows = [COLUMNS, ...figures.map((figure) => toRow(figure, isJudged))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
};

export const writeReport = async (figures: readonly Figure[], seconds: number): Promise<void> => {
  const report = {
    time: new Date().toISOString(),
    node: process.version,
    processors: availableParallelism(),
    load: loadavg(),
    seconds: Math.round(seconds),
    figures: figures.map((figure) => ({ ...figure, verdict: judge(figure) })),
  };
  await writeFile(join(PROJECT, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
};
