import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { MetricName, MetricNamespace } from '../../functions/platform/runtime/logger.ts';
import type { StepQueue } from '../resources/tasks.ts';
import type { WebhookQueue } from '../resources/webhooks.ts';

/** What is monitored; the functions by their names. */
export type MonitoredResources = {
  readonly service: string;
  readonly rest: RestApiBase;
  readonly throttledRequests: Metric;
  readonly steps: StepQueue;
  readonly webhooks: WebhookQueue;
  /** Server errors by what the routes are for. */
  readonly familyErrors: ReadonlyMap<string, Metric>;
  readonly functions: ReadonlyMap<string, LambdaFunction & { readonly liveAlias: unknown }>;
  /** Concurrent executions that the account may have in this region. */
  readonly concurrencyQuota: number;
};

export const NAMESPACE: MetricNamespace = 'MediaGeneration';

export const functionNamed = ({ functions }: MonitoredResources, name: string): LambdaFunction => {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`there is no function ${name} to watch`);
  return found;
};

/** A metric that the functions write with their logs. */
export const customMetric = (
  { service }: MonitoredResources,
  metricName: MetricName,
  { statistic = 'Sum', minutes = 5, by = {}, label = String(metricName) } = {},
): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName,
    statistic,
    period: Duration.minutes(minutes),
    dimensionsMap: { service, ...by },
    label,
  });

/** The sum of several; a metric that has not been seen counts as none. */
export const sumOf = (metrics: readonly IMetric[], label: string, minutes: number): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, position) => `FILL(m${position}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, position) => [`m${position}`, metric])),
    period: Duration.minutes(minutes),
    label,
  });
