import type { Stage } from './stage.ts';

/** One line of the table. Smaller is better wherever there is a budget. */
export type Figure = {
  readonly name: string;
  readonly measured: number;
  /** The unit of the figure; a ratio has none. */
  readonly unit: string;
  readonly budget?: number;
  /** Describes the comparison. */
  readonly note: string;
};

export type Measurement = {
  readonly name: string;
  readonly title: string;
  readonly measure: (stage: Stage) => Promise<readonly Figure[]>;
};

type Verdict = 'pass' | 'short' | 'no budget';

export const toVerdict = ({ measured, budget }: Figure): Verdict => {
  if (budget === undefined) return 'no budget';
  return measured <= budget ? 'pass' : 'short';
};
