import * as z from 'zod';

const RECORDS_KEPT = 20_000;

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
const reasonOf = (outcome: InvocationOutcome, payload: string): string | undefined => {
  if (outcome === 'ok') return undefined;
  const { errorType, errorMessage } = errorSchema.parse(JSON.parse(payload));
  return outcome === 'error' ? errorType : errorMessage.replace(/^RequestId: \S+ (Error: )?/, '');
};

type Invoked = Pick<InvocationRecord, 'functionId' | 'requestId' | 'startedAt'>;
type Answer = Pick<
  InvocationRecord,
  'initMilliseconds' | 'milliseconds' | 'maxMemoryMegabytes' | 'outcome'
> & {
  readonly payload: string;
};

/** The last invocations of all functions. */
export class InvocationRecords {
  readonly #records: InvocationRecord[] = [];
  readonly #onRecord: ((record: InvocationRecord) => void) | undefined;

  constructor(onRecord: ((record: InvocationRecord) => void) | undefined) {
    this.#onRecord = onRecord;
  }

  all(): readonly InvocationRecord[] {
    return [...this.#records];
  }

  add(invoked: Invoked, answer: Answer): void {
    const { initMilliseconds, milliseconds, maxMemoryMegabytes, outcome, payload } = answer;
    const billedMilliseconds = Math.ceil(initMilliseconds + milliseconds);
    const measured = { initMilliseconds, milliseconds, billedMilliseconds, maxMemoryMegabytes };
    const record = { ...invoked, ...measured, outcome, reason: reasonOf(outcome, payload) };
    this.#records.push(record);
    if (this.#records.length > RECORDS_KEPT) this.#records.shift();
    this.#onRecord?.(record);
  }
}
