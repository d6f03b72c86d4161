import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Facts, Journal } from '../domain/ports.ts';
import { describeError } from './error-description.ts';
import { metricsOf } from './metrics.ts';

const ambient = new AsyncLocalStorage<Facts>();

/** Puts the facts, such as whose request this is, on every line that the work writes. */
export const withFacts = <Result>(facts: Facts, work: () => Result): Result =>
  ambient.run({ ...ambient.getStore(), ...facts }, work);

/** Lambda sets it anew for each invocation. */
const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];

type Output = { readonly write?: (line: string) => void; readonly now?: Clock };

/** One line of JSON an event. Callers pass identifiers and figures, never prompts, keys, images or signed addresses. */
export const logJournal = ({
  write = (line) => void process.stdout.write(`${line}\n`),
  now = Date.now,
}: Output = {}): Journal => {
  const service = process.env.SERVICE_NAME ?? 'MediaGeneration';
  const record = (level: 'INFO' | 'ERROR', event: string, given: Facts, error?: unknown): void => {
    const time = now();
    const facts = { ...ambient.getStore(), ...given };
    write(
      JSON.stringify({
        level,
        message: event,
        timestamp: new Date(time).toISOString(),
        service,
        trace: traceId(),
        ...facts,
        ...(error === undefined ? {} : { error: describeError(error) }),
        ...metricsOf(event, facts, time),
      }),
    );
  };
  return {
    note: (event, facts) => record('INFO', event, facts),
    fault: (event, error, facts = {}) => record('ERROR', event, facts, error),
  };
};
