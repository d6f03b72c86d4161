import { measureAmplification, overusedKeys } from './amplification.ts';
import { countLosses } from './losses.ts';
import type { Simulation } from './run.ts';

const MINUTE = 60_000;

/** Limits for a service with more tasks than its workers can do. */
const GOALS = {
  doneToCompleted: 2 * MINUTE,
  timedOutShare: 0.01,
  messagesPerTask: 1.5,
  busyShare: 0.9,
} as const;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The goals that a run under overload has missed, a sentence each. */
export const missedGoals = (simulation: Simulation): readonly string[] => {
  const { measured, options, workerUse, tasks } = simulation;
  const p99 = measured.doneToCompleted.percentile(0.99);
  const timedOut = (measured.outcomes.get('queue_timeout') ?? 0) / Math.max(1, tasks.count);
  const { messagesPerTask, heldPerTask } = measureAmplification(simulation);
  const busy = (workerUse.average ?? options.workers) / options.workers;
  const lost = Object.entries(countLosses(simulation)).filter(([, count]) => count > 0);
  return [
    ...lost.map(([name, count]) => `${name} is ${count} instead of 0`),
    ...(p99 > GOALS.doneToCompleted ? [`done → completed has a p99 of ${Math.round(p99 / 1000)} s`] : []),
    ...(timedOut > GOALS.timedOutShare ? [`${percent(timedOut)} of the accepted tasks time out`] : []),
    ...overusedKeys(simulation),
    ...[messagesPerTask, heldPerTask]
      .filter((messages) => messages > GOALS.messagesPerTask)
      .map((messages) => `there are ${messages.toFixed(2)} messages per task`),
    ...(busy < GOALS.busyShare ? [`only ${percent(busy)} of the workers are busy while tasks wait`] : []),
  ];
};
