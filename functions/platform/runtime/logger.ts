import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Clock, LogEvent, LogEvents, LogFields, Logger } from '../domain/log-events.ts';

type Row<Figure = string, Dimension = string> = {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds';
  /** The field with the value; without one, each event counts 1. */
  readonly value?: Figure;
  /** Dimensions; each combination is billed as a metric of its own. */
  readonly by?: readonly (readonly Dimension[])[];
};

type EventFields<Event extends LogEvent, Type> = {
  [Field in keyof LogEvents[Event]]-?: Exclude<LogEvents[Event][Field], undefined> extends Type
    ? Field
    : never;
}[keyof LogEvents[Event]];

type EventRow<Event extends LogEvent> = Row<EventFields<Event, number | boolean>, EventFields<Event, string>>;

export const METRICS = {
  request: [{ name: 'ServerErrors', unit: 'Count', value: 'serverError' }],
  'stream failed': [{ name: 'ServerErrors', unit: 'Count' }],
  'access denied': [{ name: 'DeniedCalls', unit: 'Count' }],
  'task created': [{ name: 'TasksCreated', unit: 'Count', by: [['model']] }],
  'task submitted': [
    { name: 'QueueWait', unit: 'Seconds', value: 'queueSeconds' },
    { name: 'TasksSubmitted', unit: 'Count', by: [['upstream']] },
  ],
  'task completed': [
    { name: 'TasksCompleted', unit: 'Count', by: [['model']] },
    { name: 'GenerationTime', unit: 'Seconds', value: 'generationSeconds', by: [['model']] },
    { name: 'CompletionDelay', unit: 'Seconds', value: 'completionSeconds' },
    { name: 'SecondsBilled', unit: 'Seconds', value: 'seconds', by: [['model']] },
  ],
  'video differs from request': [{ name: 'VideosDiffer', unit: 'Count', by: [['upstream']] }],
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
  'webhook attempt failed': [{ name: 'WebhookTriesFailed', unit: 'Count' }],
  'webhook given up': [{ name: 'WebhooksGivenUp', unit: 'Count' }],
  'webhook endpoint disabled': [{ name: 'WebhookEndpointsDisabled', unit: 'Count', by: [['reason']] }],
  'delivery not swept': [{ name: 'SweeperFailures', unit: 'Count' }],
  'upstream answered': [
    { name: 'UpstreamLatency', unit: 'Milliseconds', value: 'milliseconds', by: [['call']] },
  ],
  'upstream call failed': [
    { name: 'UpstreamLatency', unit: 'Milliseconds', value: 'milliseconds', by: [['call']] },
    { name: 'UpstreamErrors', unit: 'Count', by: [['fault'], ['upstream']] },
  ],
  'upstream needs the operator': [{ name: 'UpstreamNeedsOperator', unit: 'Count', by: [['upstream']] }],
  'upstream model retired': [{ name: 'UpstreamNeedsOperator', unit: 'Count', by: [['upstream']] }],
  'upstream pauses': [{ name: 'UpstreamPauses', unit: 'Count', by: [['upstream']] }],
  'task waits in line': [{ name: 'TasksInLine', unit: 'Count' }],
  'message failed': [{ name: 'MessagesFailed', unit: 'Count' }],
  'dead letter': [{ name: 'DeadLetters', unit: 'Count' }],
  swept: [
    { name: 'SweeperRepairs', unit: 'Count', value: 'requeued' },
    { name: 'SweeperBacklog', unit: 'Count', value: 'left' },
  ],
  'task not swept': [{ name: 'SweeperFailures', unit: 'Count' }],
  'item not readable': [{ name: 'UnreadableItems', unit: 'Count' }],
  'file not removed': [{ name: 'SweeperFailures', unit: 'Count' }],
  'budget event not sent': [{ name: 'SweeperFailures', unit: 'Count' }],
  'reservation not released': [{ name: 'SweeperFailures', unit: 'Count' }],
} as const satisfies { readonly [Event in LogEvent]?: readonly EventRow<Event>[] };

export type MetricName = (typeof METRICS)[keyof typeof METRICS][number]['name'];

export type MetricNamespace = 'MediaGeneration';
const NAMESPACE: MetricNamespace = 'MediaGeneration';

const ROWS: ReadonlyMap<string, readonly Row[]> = new Map(Object.entries(METRICS));

/** Every metric has the dimension `service`, so that two deployments in one account stay apart. */
const dimensions = ({ by = [] }: Row, fields: LogFields): string[][] =>
  [[], ...by]
    .filter((names) => names.every((name) => fields[name] !== undefined))
    .map((names) => ['service', ...names]);

const metricValue = ({ value }: Row, fields: LogFields): number =>
  value === undefined ? 1 : Number(fields[value]);

/** Counts of 0 are not written: a metric is billed for every hour in which it has data. */
const isWritten = ({ unit }: Row, value: number): boolean =>
  Number.isFinite(value) && (unit !== 'Count' || value > 0);

/** Makes a log line a metric as well (CloudWatch's embedded metric format), so that a failing invocation loses none. */
export const toMetrics = (
  event: LogEvent,
  fields: LogFields,
  time: number,
): Readonly<Record<string, unknown>> => {
  const rows = ROWS.get(event)?.filter((row) => isWritten(row, metricValue(row, fields)));
  if (rows === undefined || rows.length === 0) return {};
  return {
    ...Object.fromEntries(rows.map((row) => [row.name, metricValue(row, fields)])),
    _aws: {
      Timestamp: time,
      CloudWatchMetrics: rows.map((row) => ({
        Namespace: NAMESPACE,
        Dimensions: dimensions(row, fields),
        Metrics: [{ Name: row.name, Unit: row.unit }],
      })),
    },
  };
};

type ErrorDescription = Readonly<Record<string, unknown>>;

const FRAME = /^ {4}at .*:\d+:\d+\)?$/;
const MAX_CAUSES = 3;

let bundleMap: SourceMap | undefined | null = null;

/** Read with the first error: the source map support of Node reads it in every process, a tenth of a cold start. */
const readBundleMap = (): SourceMap | undefined => {
  const file = `${fileURLToPath(import.meta.url)}.map`;
  if (bundleMap === null)
    bundleMap = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  return bundleMap;
};

/** Replaces the position in a bundle by the one in the source; other frames stay as they are. */
export const toSourceFrame = (frame: string, url: string, map: Pick<SourceMap, 'findOrigin'>): string => {
  const start = frame.indexOf(`${url}:`);
  const [line, column] = frame.slice(start + url.length + 1).split(':', 2);
  if (start < 0 || line === undefined || column === undefined) return frame;
  const origin = map.findOrigin(Number.parseInt(line, 10), Number.parseInt(column, 10));
  if (!('fileName' in origin)) return frame;
  const source = `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  return `${frame.slice(0, start)}${source}${frame.endsWith(')') ? ')' : ''}`;
};

/** The stack frames, which follow the message. */
const stackFrames = ({ stack = '', message }: Error): string[] => {
  const map = readBundleMap();
  return stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim())
    .map((frame) => (map === undefined ? frame : toSourceFrame(frame, import.meta.url, map)));
};

/** Only our own plain errors are logged with their message: others may quote what was read or sent. */
const isPlain = (error: Error): boolean => error.name === 'Error' && !('$metadata' in error);

/** Codes and numbers, which contain no user data. */
const errorCodes = (error: Error) => {
  const given: Readonly<Record<string, unknown>> = { ...error };
  const metadata: Readonly<Record<string, unknown>> = Object(given.$metadata);
  return {
    code: given.code,
    fault: given.fault,
    httpStatus: given.httpStatus ?? metadata.httpStatusCode,
    awsRequestId: metadata.requestId,
  };
};

/** Describes an error for operators: name, codes, stack and cause. */
export const describeError = (error: unknown, causes = MAX_CAUSES): ErrorDescription => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...(isPlain(error) ? { message: error.message } : {}),
    ...errorCodes(error),
    stack: stackFrames(error),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  };
};

const ambient = new AsyncLocalStorage<LogFields>();

/** Adds fields, such as the account, to every line that is logged during the work. */
export const withLogFields = <Result>(fields: LogFields, work: () => Result): Result =>
  ambient.run({ ...ambient.getStore(), ...fields }, work);

/** Adds fields to the lines that the surrounding work logs from now on. */
export const addLogFields = (fields: LogFields): void => {
  const surrounding = ambient.getStore();
  if (surrounding !== undefined) Object.assign(surrounding, fields);
};

/** Lambda sets this variable for each invocation. */
const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];

type Output = { readonly write?: (line: string) => void; readonly now?: Clock };

export const jsonLogger = ({
  write = (line) => void process.stdout.write(`${line}\n`),
  now = Date.now,
}: Output = {}): Logger => {
  const service = JSON.stringify(process.env.SERVICE_NAME ?? 'MediaGeneration');
  const record = (level: 'INFO' | 'ERROR', event: LogEvent, given: LogFields, error?: unknown): void => {
    const time = now();
    const fields = { trace: traceId(), ...ambient.getStore(), ...given };
    if (error !== undefined) Object.assign(fields, { error: describeError(error) });
    const members = JSON.stringify(Object.assign(fields, toMetrics(event, fields, time)));
    // Written as text, because these are the same for all lines, or need no escaping.
    const start = `{"level":"${level}","message":"${event}","service":${service},"timestamp":"${new Date(time).toISOString()}"`;
    write(members === '{}' ? `${start}}` : `${start},${members.slice(1)}`);
  };
  return {
    info: (event, fields) => record('INFO', event, fields),
    error: (event, error, fields) => record('ERROR', event, fields, error),
  };
};
