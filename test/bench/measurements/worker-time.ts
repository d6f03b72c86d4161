import type { Figure } from '../measurement.ts';
import { observedVideo } from '../observed-video.ts';
import type { Stage } from '../stage.ts';
import { sum } from '../statistics.ts';

const GENERATION_MILLISECONDS = 60_000;
const BUDGET = 1 / 50;

/** Includes loading. A worker that waits would be billed for the generation and the fetch. */
export const workerTime = async (stage: Stage): Promise<readonly Figure[]> => {
  const { steps } = await observedVideo(stage);
  const billed = steps.map(({ billedMilliseconds }) => billedMilliseconds);
  const cold = steps.filter(({ initMilliseconds }) => initMilliseconds > 0).length;
  const waiting = GENERATION_MILLISECONDS + (billed.at(-1) ?? 0);
  return [
    {
      name: 'worker time, 60 s generation',
      measured: sum(billed) / waiting,
      unit: '',
      budget: BUDGET,
      note: `billed ${sum(billed)} ms in ${billed.length} steps, ${cold} cold, a waiting worker ${waiting} ms`,
    },
  ];
};
