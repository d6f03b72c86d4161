import { createVideo, waitFor } from '../../support/http.ts';
import { type Service, startService } from '../../support/service.ts';
import type { Figure } from '../measurement.ts';
import { withBufferingWorker } from '../memory/buffering-worker.ts';
import { ofSize } from '../prompts.ts';
import type { Stage } from '../stage.ts';
import { endWorkers, workerSteps } from '../worker-processes.ts';

const BUDGETS = { againstBuffering: 0.2, largeAgainstSmall: 1.5 } as const;

/** Peaks of fresh worker processes in megabytes: after a step that fetched nothing, and after the fetch. */
type Peaks = { readonly idle: number; readonly peak: number; readonly milliseconds: number };

const move = async (service: Service, megabytes: number): Promise<Peaks> => {
  await endWorkers(service.cloud);
  const steps = await workerSteps(service.cloud, async () => {
    const { body } = await waitFor(service, await createVideo(service, ofSize(megabytes)));
    if (body.status !== 'completed') throw new Error(`${megabytes} MB: ${JSON.stringify(body.error)}`);
  });
  const [idle, last] = steps.slice(-2);
  if (idle === undefined || last === undefined) throw new Error('the worker took fewer steps than it must');
  return {
    idle: idle.maxMemoryMegabytes,
    peak: last.maxMemoryMegabytes,
    milliseconds: last.milliseconds,
  };
};

const text = ({ idle, peak, milliseconds }: Peaks): string =>
  `${peak.toFixed(0)} MB (${idle.toFixed(0)} idle, ${(milliseconds / 1000).toFixed(1)} s)`;

const added = ({ idle, peak }: Peaks): number => peak - idle;

/** The function host's records of the step that fetches, each in a worker process of its own. */
export const memory = async (stage: Stage): Promise<readonly Figure[]> => {
  const service = await startService();
  try {
    const small = await move(service, 20);
    const middle = await move(service, 200);
    const large = await move(service, 800);
    const buffering = await withBufferingWorker(stage, () => move(service, 200));
    return [
      {
        name: 'memory, 200 MB against buffering',
        measured: added(middle) / added(buffering),
        unit: '',
        budget: BUDGETS.againstBuffering,
        note: `peak over idle: ${text(middle)} against ${text(buffering)}; whole process ${(middle.peak / buffering.peak).toFixed(2)}`,
      },
      {
        name: 'memory, 800 MB against 20 MB',
        measured: large.peak / small.peak,
        unit: '',
        budget: BUDGETS.largeAgainstSmall,
        note: `whole process: ${text(large)} against ${text(small)}`,
      },
    ];
  } finally {
    await service.close();
  }
};
