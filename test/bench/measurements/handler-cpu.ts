import * as z from 'zod';
import { withTrials } from '../handler-cpu/run-trials.ts';
import { TRIALS, type Trial } from '../handler-cpu/trials.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const BUDGETS = { beyondSdk: { status: 0.1, create: 0.12 }, againstPlain: 5 } as const;

/** The JIT compiler decides a little differently in each process. */
const FULL = { processes: 5, rounds: 60, calls: 40, warmUp: 40 };
const QUICK = { processes: 1, rounds: 1, calls: 1, warmUp: 1 };

const roundsSchema = z.array(z.tuple([z.number(), z.number(), z.number()]));

type Costs = Readonly<Record<'handler' | 'beyond' | 'plain', number>>;

/** Medians of CPU milliseconds per call in one process; `beyond` is that of the differences between handler and SDK. */
const readCosts = (message: unknown): Costs => {
  const rounds = roundsSchema.parse(message);
  return {
    handler: median(rounds.map(([handler]) => handler)),
    beyond: median(rounds.map(([handler, sdk]) => handler - sdk)),
    plain: median(rounds.map(([, , plain]) => plain)),
  };
};

const percent = (share: number): string => (100 * share).toFixed(0);

const toFigures = (name: Trial['name'], costs: readonly Costs[]): readonly Figure[] => {
  const shares = costs.map(({ handler, beyond }) => beyond / handler);
  const milliseconds = median(costs.map(({ handler }) => handler)).toFixed(2);
  const plain = median(costs.map((cost) => cost.plain)).toFixed(2);
  return [
    {
      name: `CPU beyond the SDK, ${name}`,
      measured: median(shares),
      unit: '',
      budget: BUDGETS.beyondSdk[name],
      note: `${milliseconds} ms per call; ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))} % in ${costs.length} processes`,
    },
    {
      name: `CPU relative to plain HTTP, ${name}`,
      measured: median(costs.map((cost) => cost.handler / cost.plain)),
      unit: '',
      ...(name === 'status' ? { budget: BUDGETS.againstPlain } : {}),
      note: `${milliseconds} ms per call; plain HTTP exchange ${plain} ms`,
    },
  ];
};

/** The CPU of a request with a cached API key. */
export const handlerCpu = (stage: Stage): Promise<readonly Figure[]> =>
  withTrials(stage, 'probe', async (run) => {
    const { processes, rounds, calls, warmUp } = stage.size(FULL, QUICK);
    const variables = {
      BENCH_ROUNDS: String(rounds),
      BENCH_CALLS: String(calls),
      BENCH_WARM_UP: String(warmUp),
    };
    const figures: Figure[] = [];
    for (const trial of TRIALS) {
      const costs: Costs[] = [];
      for (let turn = 0; turn < processes; turn += 1) costs.push(readCosts(await run(trial, { variables })));
      figures.push(...toFigures(trial.name, costs));
    }
    return figures;
  });
