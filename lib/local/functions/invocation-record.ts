export type InvocationOutcome = 'ok' | 'error' | 'timeout' | 'crash';

/** What Lambda's REPORT line would say of one invocation. */
export interface InvocationRecord {
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
}

export const RECORDS_KEPT = 20_000;
