import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { allocation } from './measurements/allocation.ts';
import { bundleSize } from './measurements/bundle-size.ts';
import { prepareStage } from './stage.ts';

/** AWS calls are compared exactly, by test/api/observed/aws-calls.ts. */
const FILE = join(import.meta.dirname, 'figures.json');
const TOLERANCE = 1.1;

type Figures = Readonly<Record<string, number>>;

/** The figures that have grown by more than a tenth, and those that are only in one of the lists. */
const compare = (accepted: Figures, measured: Figures): string[] =>
  [...new Set([...Object.keys(accepted), ...Object.keys(measured)])].flatMap((name) => {
    const [before, now] = [accepted[name], measured[name]];
    if (before !== undefined && now !== undefined && now <= before * TOLERANCE) return [];
    return `${name}: ${now ?? 'nothing'} KB instead of ${before ?? 'nothing'}`;
  });

test('names figures that have grown by more than a tenth, appeared or disappeared', () => {
  const accepted = { same: 10, smaller: 10, grown: 10, gone: 10 };
  const measured = { same: 11, smaller: 5, grown: 11.1, added: 1 };
  assert.deepEqual(compare(accepted, measured), [
    'grown: 11.1 KB instead of 10',
    'gone: nothing KB instead of 10',
    'added: 1 KB instead of nothing',
  ]);
});

test('bundles and allocated memory have grown by a tenth at most', async () => {
  const stage = await prepareStage(true);
  const figures = [...(await bundleSize(stage)), ...(await allocation(stage))];
  const measured = Object.fromEntries(figures.map(({ name, measured }) => [name, Math.round(measured)]));
  if (process.env.UPDATE_FIGURES !== undefined)
    await writeFile(FILE, `${JSON.stringify(measured, null, 2)}\n`);
  const accepted = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(FILE, 'utf8')));
  const grown = compare(accepted, measured);
  assert.ok(grown.length === 0, `${grown.join('; ')}. To accept it, run this file with UPDATE_FIGURES=1.`);
});
