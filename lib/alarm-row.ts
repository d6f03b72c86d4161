import type { ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';

export type AlarmRow = {
  readonly id: string;
  /** Its heading in RUNBOOK.md, where it says what to do. */
  readonly section: string;
  readonly says: string;
  readonly metric: IMetric;
  /** Rings when the metric is above it. */
  readonly above: number;
  /** So many of so many periods must be bad; one of one unless given. */
  readonly bad?: readonly [bad: number, of: number];
  readonly missing?: TreatMissingData;
  readonly comparison?: ComparisonOperator;
};
