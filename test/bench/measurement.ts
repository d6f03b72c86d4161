import type { Stage } from './stage.ts';

/** One line of the table. Smaller is better wherever there is a budget. */
export type Figure = {
  readonly name: string;
  readonly measured: number;
  /** Empty for a ratio or a count. */
  readonly unit: string;
  readonly budget?: number;
  readonly note: string;
};

export type Measurement = {
  readonly name: string;
  readonly title: string;
  readonly measure: (stage: Stage) => Promise<readonly Figure[]>;
};

type Verdict = 'pass' | 'over budget' | 'no budget';

export const judge = ({ measured, budget }: Figure): Verdict => {
  if (budget === undefined) return 'no budget';
  return measured <= budget ? 'pass' : 'over budget';
};
