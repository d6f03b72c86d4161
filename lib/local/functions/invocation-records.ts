import { type InvocationRecord, reasonOf } from './invocation-record.ts';
import type { ProcessAnswer } from './invoke-in-process.ts';

const RECORDS_KEPT = 20_000;

type Invoked = Pick<InvocationRecord, 'functionId' | 'requestId' | 'startedAt'>;

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

  add(invoked: Invoked, answer: ProcessAnswer): void {
    const { initMilliseconds, milliseconds, maxMemoryMegabytes, outcome, payload } = answer;
    const billedMilliseconds = Math.ceil(initMilliseconds + milliseconds);
    const measured = { initMilliseconds, milliseconds, billedMilliseconds, maxMemoryMegabytes };
    const record = { ...invoked, ...measured, outcome, reason: reasonOf(outcome, payload) };
    this.#records.push(record);
    if (this.#records.length > RECORDS_KEPT) this.#records.shift();
    this.#onRecord?.(record);
  }
}
