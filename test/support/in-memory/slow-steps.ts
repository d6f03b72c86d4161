import {
  mayBegin,
  type Shares,
  type SlowStep,
  type SlowSteps,
  shareFor,
  workerShares,
} from '../../../functions/platform/domain/fair-share.ts';
import { type Call, callAtOnce } from './call.ts';

const stepKey = ({ until, id }: SlowStep): string => `${until}/${id}`;

/** The slow steps of all owners, which count until they end or their time is over. */
export class MemorySlowSteps {
  readonly #steps = new Map<string, SlowStep>();
  readonly #shares: Shares;

  /** Those of as many video workers as the stack sets, unless given. */
  constructor(shares = workerShares(10)) {
    this.#shares = shares;
  }

  readonly begin = (step: SlowStep, now: number): boolean => {
    const key = stepKey(step);
    if (this.#steps.has(key)) return true;
    const running = this.running(now);
    const own = running.filter(({ owner }) => owner === step.owner).length;
    const part = running.filter((each) => each.part !== undefined && each.part === step.part).length;
    const held = { own, part, all: running.length };
    if (!mayBegin(shareFor(this.#shares, step), held)) return false;
    this.#steps.set(key, step);
    return true;
  };

  readonly end = (step: SlowStep): void => {
    this.#steps.delete(stepKey(step));
  };

  readonly running = (now: number): SlowStep[] =>
    [...this.#steps.values()].filter(({ until }) => until > now);
}

export const slowStepsPort = (
  steps: Pick<MemorySlowSteps, 'begin' | 'end'> = new MemorySlowSteps(),
  call: Call = callAtOnce,
): SlowSteps => ({
  begin: (step, now) => call('slowSteps.begin', () => steps.begin(step, now)),
  end: (step) => call('slowSteps.end', () => steps.end(step)),
});
