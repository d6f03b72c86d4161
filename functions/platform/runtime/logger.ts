import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent, LogFields } from '../domain/log-events.ts';
import type { Clock, Logger } from '../domain/ports.ts';
import { describeError } from './error-description.ts';
import { metricsOf } from './metrics.ts';

const ambient = new AsyncLocalStorage<LogFields>();

/** Puts the fields, such as whose request this is, on every line that the work writes. */
export const withLogFields = <Result>(fields: LogFields, work: () => Result): Result =>
  ambient.run({ ...ambient.getStore(), ...fields }, work);

/** Lambda sets it anew for each invocation. */
const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];

type Output = { readonly write?: (line: string) => void; readonly now?: Clock };

/** One line of JSON an event. */
export const jsonLogger = ({
  write = (line) => void process.stdout.write(`${line}\n`),
  now = Date.now,
}: Output = {}): Logger => {
  const service = process.env.SERVICE_NAME ?? 'MediaGeneration';
  const record = (level: 'INFO' | 'ERROR', event: LogEvent, given: LogFields, error?: unknown): void => {
    const time = now();
    const fields = { ...ambient.getStore(), ...given };
    write(
      JSON.stringify({
        level,
        message: event,
        timestamp: new Date(time).toISOString(),
        service,
        trace: traceId(),
        ...fields,
        ...(error === undefined ? {} : { error: describeError(error) }),
        ...metricsOf(event, fields, time),
      }),
    );
  };
  return {
    info: (event, fields) => record('INFO', event, fields),
    error: (event, error, fields) => record('ERROR', event, fields, error),
  };
};
