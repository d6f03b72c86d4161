import type { SlowSteps } from '../../../functions/domain/ports.ts';
import { mayBegin, rungsOf, type SlowStep } from '../../../functions/domain/share.ts';

/** The slow steps of all owners, which count until they end or their time is over. */
export class MemorySlowSteps {
  readonly #steps = new Map<string, SlowStep>();
  readonly #rungs: ReturnType<typeof rungsOf>;

  /** As many workers as the stack sets. */
  constructor(workers = 10) {
    this.#rungs = rungsOf(workers);
  }

  readonly begin = (step: SlowStep, now: number): boolean => {
    const running = this.running(now);
    const own = running.filter(({ owner }) => owner === step.owner);
    if (!mayBegin(this.#rungs, own.length, running.length)) return false;
    this.#steps.set(`${step.until}/${step.id}`, step);
    return true;
  };

  readonly end = ({ until, id }: SlowStep): void => {
    this.#steps.delete(`${until}/${id}`);
  };

  readonly running = (now: number): SlowStep[] =>
    [...this.#steps.values()].filter(({ until }) => until > now);
}

/** The port straight onto it: no delay, no fault. */
export const plainSlowSteps = (steps = new MemorySlowSteps()): SlowSteps => ({
  begin: async (step, now) => steps.begin(step, now),
  end: async (step) => steps.end(step),
});
