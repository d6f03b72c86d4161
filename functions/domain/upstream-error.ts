/**
 * How a call to the upstream generator went wrong, by what can be done about it:
 * - `rejected`: the client can mend its request
 * - `operator`: only the operator can (key, payment, model)
 * - `exhausted`: a quota that does not come back today
 * - `busy`, `failing`: the upstream answered that it did not do it; later it may
 * - `unanswered`: nobody knows whether the upstream did it
 */
export type UpstreamFault = 'rejected' | 'operator' | 'exhausted' | 'busy' | 'failing' | 'unanswered';

export class UpstreamError extends Error {
  readonly fault: UpstreamFault;
  readonly httpStatus: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    fault: UpstreamFault,
    message: string,
    details: { httpStatus?: number; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'UpstreamError';
    this.fault = fault;
    this.httpStatus = details.httpStatus;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
