import type { LogEvent, LogEvents, LogFields } from '../domain/log-events.ts';

type Row<Figure = string, Dimension = string> = {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds';
  /** The field that holds the figure; without one, each event counts 1. */
  readonly value?: Figure;
  /** Fields that also split the metric; each set of them is a metric that is paid for. */
  readonly by?: readonly (readonly Dimension[])[];
};

type FieldsOf<Event extends LogEvent, Type> = {
  [Field in keyof LogEvents[Event]]-?: LogEvents[Event][Field] extends Type ? Field : never;
}[keyof LogEvents[Event]];

type RowOf<Event extends LogEvent> = Row<FieldsOf<Event, number | boolean>, FieldsOf<Event, string>>;

/** Which events of the log are counted or measured. */
export const METRICS = {
  request: [{ name: 'ServerErrors', unit: 'Count', value: 'serverError' }],
  'stream failed': [{ name: 'ServerErrors', unit: 'Count' }],
  'task created': [{ name: 'TasksCreated', unit: 'Count', by: [['model']] }],
  'task submitted': [{ name: 'QueueWait', unit: 'Seconds', value: 'queueSeconds' }],
  'task completed': [
    { name: 'TasksCompleted', unit: 'Count', by: [['model']] },
    { name: 'GenerationTime', unit: 'Seconds', value: 'generationSeconds', by: [['model']] },
    { name: 'SecondsBilled', unit: 'Seconds', value: 'seconds', by: [['model']] },
  ],
  'task failed': [{ name: 'TasksFailed', unit: 'Count', by: [['code'], ['model', 'code']] }],
  'image made': [{ name: 'ImagesMade', unit: 'Count' }],
  'image blocked': [{ name: 'ImagesBlocked', unit: 'Count' }],
  'image failed': [{ name: 'ImagesFailed', unit: 'Count', by: [['code']] }],
  'budget nearly used': [{ name: 'BudgetsNearlyUsed', unit: 'Count', by: [['account']] }],
  'image charge not recorded': [{ name: 'ChargesNotRecorded', unit: 'Count' }],
  'webhook delivered': [
    { name: 'WebhooksDelivered', unit: 'Count' },
    { name: 'WebhookDelay', unit: 'Seconds', value: 'delaySeconds' },
  ],
  'webhook try failed': [{ name: 'WebhookTriesFailed', unit: 'Count' }],
  'webhook given up': [{ name: 'WebhooksGivenUp', unit: 'Count' }],
  'webhook endpoint disabled': [{ name: 'WebhookEndpointsDisabled', unit: 'Count', by: [['reason']] }],
  'delivery not swept': [{ name: 'SweeperFailures', unit: 'Count' }],
  'upstream answered': [
    { name: 'UpstreamLatency', unit: 'Milliseconds', value: 'milliseconds', by: [['call']] },
  ],
  'upstream call failed': [
    { name: 'UpstreamLatency', unit: 'Milliseconds', value: 'milliseconds', by: [['call']] },
    { name: 'UpstreamErrors', unit: 'Count', by: [['fault']] },
  ],
  'upstream needs the operator': [{ name: 'UpstreamNeedsOperator', unit: 'Count' }],
  'message failed': [{ name: 'MessagesFailed', unit: 'Count' }],
  'dead letter': [{ name: 'DeadLetters', unit: 'Count' }],
  swept: [
    { name: 'SweeperRepairs', unit: 'Count', value: 'requeued' },
    { name: 'SweeperBacklog', unit: 'Count', value: 'left' },
  ],
  'not swept': [{ name: 'SweeperFailures', unit: 'Count' }],
  'item not readable': [{ name: 'UnreadableItems', unit: 'Count' }],
  'leftover not removed': [{ name: 'SweeperFailures', unit: 'Count' }],
  'file not removed': [{ name: 'SweeperFailures', unit: 'Count' }],
  'reservation not released': [{ name: 'SweeperFailures', unit: 'Count' }],
} as const satisfies { readonly [Event in LogEvent]?: readonly RowOf<Event>[] };

export type MetricName = (typeof METRICS)[keyof typeof METRICS][number]['name'];

export type MetricNamespace = 'MediaGeneration';
const NAMESPACE: MetricNamespace = 'MediaGeneration';

const ROWS: ReadonlyMap<string, readonly Row[]> = new Map(Object.entries(METRICS));

/** Every metric is split by the deployment, so that two in one account do not mix. */
const dimensionsOf = ({ by = [] }: Row, fields: LogFields): string[][] =>
  [[], ...by]
    .filter((names) => names.every((name) => fields[name] !== undefined))
    .map((names) => ['service', ...names]);

const figureOf = ({ value }: Row, fields: LogFields): number =>
  value === undefined ? 1 : Number(fields[value]);

/** A count of 0 tells nothing, and a metric is paid for in every hour in which it is written. */
const isTold = ({ unit }: Row, figure: number): boolean =>
  Number.isFinite(figure) && (unit !== 'Count' || figure > 0);

/**
 * The part that makes a log line a metric as well (CloudWatch's embedded metric format). The line of the event
 * carries it, so that nothing is kept back that a failing invocation could lose.
 */
export const metricsOf = (
  event: LogEvent,
  fields: LogFields,
  time: number,
): Readonly<Record<string, unknown>> => {
  const rows = (ROWS.get(event) ?? []).filter((row) => isTold(row, figureOf(row, fields)));
  if (rows.length === 0) return {};
  return {
    ...Object.fromEntries(rows.map((row) => [row.name, figureOf(row, fields)])),
    _aws: {
      Timestamp: time,
      CloudWatchMetrics: rows.map((row) => ({
        Namespace: NAMESPACE,
        Dimensions: dimensionsOf(row, fields),
        Metrics: [{ Name: row.name, Unit: row.unit }],
      })),
    },
  };
};
