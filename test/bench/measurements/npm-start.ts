import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { KEPT_BUNDLES } from '../../../lib/lambda/bundling.ts';
import { startGroup } from '../children.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';

/** The first start bundles functions and fills Node's compile cache. */
const BUDGET_SECONDS = { first: 6, later: 4 };
const TIMEOUT_MILLISECONDS = 120_000;
const LOOK_MILLISECONDS = 50;

const summarySchema = z.object({ baseUrl: z.string(), apiKey: z.string() });

const responds = async (folder: string): Promise<boolean> => {
  try {
    const summary = summarySchema.parse(JSON.parse(await readFile(join(folder, 'local.json'), 'utf8')));
    const headers = { authorization: `Bearer ${summary.apiKey}` };
    return (await fetch(`${summary.baseUrl}/v1/models`, { headers })).status === 200;
  } catch {
    // Not started yet.
    return false;
  }
};

const startOnce = async (folder: string): Promise<number> => {
  const started = performance.now();
  const service = startGroup('npm', ['start', '--', '--port', '0', '--data', folder]);
  let hasEnded = false;
  service.exited.then(() => {
    hasEnded = true;
  });
  try {
    while (!(await responds(folder))) {
      if (hasEnded) throw new Error('npm start has ended');
      if (performance.now() - started > TIMEOUT_MILLISECONDS) throw new Error('npm start does not respond');
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    }
    return (performance.now() - started) / 1000;
  } finally {
    await service.stop();
  }
};

const figure = (name: string, measured: number, budget: number): Figure => ({
  name,
  measured,
  unit: 's',
  budget,
  note: 'empty data',
});

export const npmStart = async ({ folder, size }: Stage): Promise<readonly Figure[]> => {
  const later = async () =>
    figure(
      'npm start to first 200, second start',
      await startOnce(join(folder, 'second-start')),
      BUDGET_SECONDS.later,
    );
  // The first start would take the bundles from all other tests.
  if (size(false, true)) return [await later()];
  await rm(KEPT_BUNDLES, { recursive: true, force: true });
  const first = await startOnce(join(folder, 'first-start'));
  return [figure('npm start to first 200', first, BUDGET_SECONDS.first), await later()];
};
