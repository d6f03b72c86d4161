import * as z from 'zod';
import { withTrials } from '../handler-cpu/run-trials.ts';
import { TRIALS } from '../handler-cpu/trials.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';

const KILOBYTE = 1000;
/** Without the JIT compiler, and with room for all that is measured, every run allocates the same. */
const FLAGS = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];

/** The memory that a request with a cached API key allocates, SDK included. */
export const allocation = (stage: Stage): Promise<readonly Figure[]> =>
  withTrials(stage, 'allocation', async (run) => {
    const figures: Figure[] = [];
    for (const trial of TRIALS) {
      const bytes = z
        .number()
        .positive()
        .parse(await run(trial, { flags: FLAGS }));
      figures.push({
        name: `allocated, ${trial.name}`,
        measured: bytes / KILOBYTE,
        unit: 'KB',
        note: 'per call, without the JIT compiler; the same on every machine',
      });
    }
    return figures;
  });
