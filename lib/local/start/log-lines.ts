import { styleText } from 'node:util';
import * as z from 'zod';
import type { MessageLog } from '../events/queue-poller.ts';
import type { FunctionLog } from '../functions/function-host.ts';
import type { InvocationRecord } from '../functions/invocation.ts';
import type { RequestLog } from '../gateway/gateway.ts';

/** Only these fields of a message are shown. */
const stepSchema = z.object({ taskId: z.string(), step: z.number() });

const CDK_HASH = /[0-9A-F]{8}$/;
const OUTCOMES = { error: 'failed', timeout: 'timed out', crash: 'crashed' } as const;

const clock = () => styleText('dim', new Date().toTimeString().slice(0, 8));

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

const colour = (isGood: boolean, text: string) => styleText(isGood ? 'green' : 'red', text);

/** Method, path without its query, status, time: nothing that a client sent in secret. */
export const requestLine = ({ method, path, status, milliseconds }: RequestLog): string => {
  const outcome = status === undefined ? colour(false, 'left') : colour(status < 400, String(status));
  return `${clock()}  ${outcome}  ${method} ${printable(path)}  ${milliseconds} ms`;
};

export const messageLine = ({ functionId, body, outcome, milliseconds }: MessageLog): string =>
  `${clock()}  ${colour(outcome === 'done', outcome)}  ${nameOf(functionId)}${stepOf(body)}  ${milliseconds} ms`;

/** Undefined for an invocation that went well: its request or message has a line of its own. */
export const invocationLine = ({
  functionId,
  outcome,
  reason = '',
}: InvocationRecord): string | undefined => {
  if (outcome === 'ok') return undefined;
  return `${clock()}  ${colour(false, OUTCOMES[outcome])}  ${nameOf(functionId)}  ${printable(reason)}`;
};

export const throttleLine = (functionId: string): string =>
  `${clock()}  ${colour(false, 'throttled')}  ${nameOf(functionId)}  the account runs as many functions as it may`;

export const errorLine = (where: string, error: unknown): string => {
  const reason = error instanceof Error ? error.message : String(error);
  return `${clock()}  ${colour(false, 'error')}  ${where}: ${printable(reason)}`;
};

export const functionLine = ({ functionId, line }: FunctionLog): string =>
  `${clock()}  ${styleText('dim', `${nameOf(functionId)}  ${line}`)}`;

const nameOf = (functionId: string) => functionId.replace(CDK_HASH, '');

const stepOf = (body: string): string => {
  try {
    const { taskId, step } = stepSchema.parse(JSON.parse(body));
    return ` step ${step} of ${printable(taskId)}`;
  } catch {
    return '';
  }
};

/** Runs the steps of a start; prints each with its time when it is done. */
export const timedSteps =
  (print: (line: string) => void) =>
  async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const started = performance.now();
    const value = await work();
    print(`${name.padEnd(32)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return value;
  };
