import { isTerminal } from '../../functions/videos/domain/task.ts';
import type { Simulation } from './run.ts';

/** Counts that must be 0 under any load. */
export const countLosses = ({ tasks, charges, upstream, options, measured }: Simulation) => {
  const all = tasks.all();
  const charged = new Map<string, number>();
  for (const taskId of charges.values()) charged.set(taskId, (charged.get(taskId) ?? 0) + 1);
  const completed = all.filter(({ status }) => status === 'completed');
  const submitted = all.filter(({ submittedAt }) => submittedAt !== undefined);
  return {
    missing: options.tasks + options.later.tasks - measured.refused - all.length,
    unfinished: all.filter((task) => !isTerminal(task)).length,
    uncharged: completed.filter(({ id }) => !charged.has(id)).length,
    chargedTwice: Array.from(charged.values()).filter((records) => records > 1).length,
    chargedInVain: charged.size - completed.filter(({ id }) => charged.has(id)).length,
    /** Generations that the upstream began and no task knows of. */
    generatedInVain: upstream.begun - submitted.length,
    /** Generations that were paid for and whose task failed all the same. */
    paidAndFailed: submitted.length - completed.length,
  };
};

/** The counts of a run in which every task ended well. */
export const NOTHING_LOST = {
  missing: 0,
  unfinished: 0,
  uncharged: 0,
  chargedTwice: 0,
  chargedInVain: 0,
  generatedInVain: 0,
  paidAndFailed: 0,
} as const;
