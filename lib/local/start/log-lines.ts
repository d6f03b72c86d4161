import { styleText } from 'node:util';
import * as z from 'zod';
import type { MessageLog } from '../events/queue-poller.ts';
import type { FunctionLog } from '../functions/function-host.ts';
import type { InvocationRecord } from '../functions/invocation.ts';
import type { RequestLog } from '../gateway/gateway.ts';

/** The only fields of a message that are printed. */
const stepSchema = z.object({ taskId: z.string(), step: z.number() });

const CDK_HASH = /[0-9A-F]{8}$/;
const OUTCOMES = { error: 'failed', timeout: 'timed out', crash: 'crashed' } as const;

const clock = () => styleText('dim', new Date().toTimeString().slice(0, 8));

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

const colour = (isGood: boolean, text: string) => styleText(isGood ? 'green' : 'red', text);

/** The token of a share link is a secret. */
const withoutToken = (path: string) => path.replace(/(\/s\/)[^/]+/, '$1…');

/** Omits the query and headers, which may contain secrets. */
export const requestLine = ({ method, path, status, milliseconds }: RequestLog): string => {
  const outcome = status === undefined ? colour(false, 'closed') : colour(status < 400, String(status));
  return `${clock()}  ${outcome}  ${method} ${withoutToken(printable(path))}  ${milliseconds} ms`;
};

export const messageLine = ({ functionId, body, outcome, milliseconds }: MessageLog): string =>
  `${clock()}  ${colour(outcome === 'done', outcome)}  ${functionName(functionId)}${describeStep(body)}  ${milliseconds} ms`;

/** Undefined for a successful invocation, because its request or message has its own line. */
export const invocationLine = ({
  functionId,
  outcome,
  reason = '',
}: InvocationRecord): string | undefined => {
  if (outcome === 'ok') return undefined;
  return `${clock()}  ${colour(false, OUTCOMES[outcome])}  ${functionName(functionId)}  ${printable(reason)}`;
};

export const throttleLine = (functionId: string): string =>
  `${clock()}  ${colour(false, 'throttled')}  ${functionName(functionId)}  the concurrency limit of the account is reached`;

export const errorLine = (where: string, error: unknown): string => {
  const reason = error instanceof Error ? error.message : String(error);
  return `${clock()}  ${colour(false, 'error')}  ${where}: ${printable(reason)}`;
};

export const functionLine = ({ functionId, line }: FunctionLog): string =>
  `${clock()}  ${styleText('dim', `${functionName(functionId)}  ${line}`)}`;

const functionName = (functionId: string) => functionId.replace(CDK_HASH, '');

const describeStep = (body: string): string => {
  try {
    const { taskId, step } = stepSchema.parse(JSON.parse(body));
    return ` step ${step} of ${printable(taskId)}`;
  } catch {
    return '';
  }
};
