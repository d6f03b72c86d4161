import * as z from 'zod';

export type InvocationOutcome = 'ok' | 'error' | 'timeout' | 'crash';

/** What Lambda's REPORT line would say of one invocation. */
export type InvocationRecord = {
  readonly functionId: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Loading of the bundle: above 0 on a cold start. */
  readonly initMilliseconds: number;
  readonly milliseconds: number;
  /** Lambda bills the loading as well. */
  readonly billedMilliseconds: number;
  readonly maxMemoryMegabytes: number;
  readonly outcome: InvocationOutcome;
  /** Why it went wrong, without anything that a request brought. */
  readonly reason: string | undefined;
};

const errorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });

/** A thrown error may quote the request, so only its type is told; what Lambda says of a process is told whole. */
export const reasonOf = (outcome: InvocationOutcome, payload: string): string | undefined => {
  if (outcome === 'ok') return undefined;
  const { errorType, errorMessage } = errorSchema.parse(JSON.parse(payload));
  return outcome === 'error' ? errorType : errorMessage.replace(/^RequestId: \S+ (Error: )?/, '');
};
