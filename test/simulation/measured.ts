import type { Task } from '../../functions/videos/domain/task.ts';
import { Distribution } from './meters.ts';
import type { SimulatedUpstream } from './simulated-upstream.ts';

/** Measurements of each task at its end, and of each run of a function. */
export class Measured {
  readonly untilSubmitted = new Distribution();
  readonly untilCompleted = new Distribution();
  /** Without the time of an outage, in which nobody can fetch a video. */
  readonly doneToCompleted = new Distribution();
  readonly sweeps = new Distribution();
  readonly outcomes = new Map<string, number>();
  readonly events = new Map<string, number>();
  /** Billed milliseconds and invocations, by function. */
  readonly billed = new Map<string, { milliseconds: number; invocations: number }>();
  /** Creates that were refused, by account. */
  readonly refusals = new Map<string, number>();
  lastEnd = 0;

  get refused(): number {
    return [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
  }

  readonly onRefusal = (account: string): void => {
    this.refusals.set(account, (this.refusals.get(account) ?? 0) + 1);
  };

  readonly onEnd = (task: Task, upstream: SimulatedUpstream, now: number): void => {
    const outcome = task.error?.code ?? task.status;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.lastEnd = now;
    const { operation, submittedAt, completedAt, createdAt } = task;
    if (submittedAt !== undefined) this.untilSubmitted.add(submittedAt - createdAt);
    if (completedAt === undefined || operation === undefined) return;
    this.untilCompleted.add(completedAt - createdAt);
    const readyAt = upstream.readyAt(operation);
    this.doneToCompleted.add(completedAt - readyAt - upstream.outageBetween(readyAt, completedAt));
  };

  readonly onEvent = (event: string): void => {
    this.events.set(event, (this.events.get(event) ?? 0) + 1);
  };

  readonly bill = (name: string, milliseconds: number): void => {
    const sum = this.billed.get(name) ?? { milliseconds: 0, invocations: 0 };
    sum.milliseconds += milliseconds;
    sum.invocations += 1;
    this.billed.set(name, sum);
  };
}
