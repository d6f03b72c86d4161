import { createVideo, waitFor } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { readTimes } from '../logged-times.ts';
import type { Figure } from '../measurement.ts';
import { ONE_MINUTE } from '../prompts.ts';
import { percentile } from '../statistics.ts';

const TASKS = 100;
const GENERATION_MILLISECONDS = 60_000;
const ARRIVAL_MILLISECONDS = 150;
const BUDGETS = { p50: 3, p99: 9 };

/** The time from the end of the generation to the completed task. */
export const completion = async (): Promise<readonly Figure[]> => {
  await using service = await startService();
  // Rendered once before, so that the upstream finishes after exactly a minute.
  await waitFor(service, await createVideo(service, ONE_MINUTE));
  const ids: string[] = [];
  for (let count = 0; count < TASKS; count += 1) {
    ids.push(await createVideo(service, ONE_MINUTE));
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL_MILLISECONDS));
  }
  for (const id of ids) await waitFor(service, id);
  const [submitted, completed] = [readTimes(service, 'task submitted'), readTimes(service, 'task completed')];
  const delays = ids.map(
    (id) =>
      ((completed.get(id) ?? Number.NaN) - (submitted.get(id) ?? Number.NaN) - GENERATION_MILLISECONDS) /
      1000,
  );
  const note = `${TASKS} live tasks, 60 s generation, from the upstream's end to completed`;
  return [
    {
      name: 'done to completed, p50',
      measured: percentile(delays, 0.5),
      unit: 's',
      budget: BUDGETS.p50,
      note,
    },
    {
      name: 'done to completed, p99',
      measured: percentile(delays, 0.99),
      unit: 's',
      budget: BUDGETS.p99,
      note,
    },
  ];
};
