import type { Stage } from './stage.ts';

/** One line of the table. Smaller is better wherever there is a budget. */
export type Figure = {
  readonly name: string;
  readonly measured: number;
  /** What the figure counts; a ratio has none. */
  readonly unit: string;
  readonly budget?: number;
  /** What was compared with what. */
  readonly note: string;
};

export type Measurement = {
  readonly name: string;
  readonly title: string;
  readonly measure: (stage: Stage) => Promise<readonly Figure[]>;
};

type Verdict = 'pass' | 'short' | 'no budget';

export const verdictOf = ({ measured, budget }: Figure): Verdict => {
  if (budget === undefined) return 'no budget';
  return measured <= budget ? 'pass' : 'short';
};
