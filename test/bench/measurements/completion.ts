import { createVideo, waitFor } from '../../support/http.ts';
import { readTimes } from '../logged-times.ts';
import type { Figure } from '../measurement.ts';
import { ofSeconds } from '../prompts.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

const ARRIVAL_MILLISECONDS = 150;
const BUDGETS = { p50: 3, p99: 9 };

/** The time from the end of the generation to the completed task. */
export const completion = async ({ size, start }: Stage): Promise<readonly Figure[]> => {
  const [tasks, seconds] = size([100, 60], [1, 1]);
  const prompt = ofSeconds(seconds);
  await using service = await start();
  // Rendered once before, so that the upstream finishes after exactly this time.
  await waitFor(service, await createVideo(service, prompt));
  const ids: string[] = [];
  for (let count = 0; count < tasks; count += 1) {
    ids.push(await createVideo(service, prompt));
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL_MILLISECONDS));
  }
  for (const id of ids) await waitFor(service, id);
  const [submitted, completed] = [readTimes(service, 'task submitted'), readTimes(service, 'task completed')];
  const delays = ids.map(
    (id) => ((completed.get(id) ?? Number.NaN) - (submitted.get(id) ?? Number.NaN)) / 1000 - seconds,
  );
  const note = `${tasks} live tasks, ${seconds} s generation, from the upstream's end to completed`;
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
