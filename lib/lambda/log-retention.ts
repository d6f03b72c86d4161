import { RetentionDays } from 'aws-cdk-lib/aws-logs';

const OFFERED = Object.values(RetentionDays).filter((value) => typeof value === 'number');

/** The shortest retention that CloudWatch offers and that keeps logs for at least so many days. */
export const logRetention = (days: number): RetentionDays =>
  OFFERED.toSorted((one, other) => one - other).find((offered) => offered >= days) ?? RetentionDays.TEN_YEARS;
