import type { ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';

export type AlarmRow = {
  readonly id: string;
  /** Its heading in RUNBOOK.md, where it says what to do. */
  readonly section: string;
  readonly description: string;
  readonly metric: IMetric;
  /** Rings when the metric is above it. */
  readonly threshold: number;
  /** So many of so many periods must breach it; one of one unless given. */
  readonly datapoints?: readonly [breaching: number, of: number];
  readonly missing?: TreatMissingData;
  readonly comparison?: ComparisonOperator;
};
