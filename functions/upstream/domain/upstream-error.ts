import { DomainError } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { TaskError } from '../../videos/domain/task.ts';

type FaultRow = {
  /** After a submit: the task fails; or it is tried again, and `unanswered` counts as perhaps accepted. */
  readonly submit: 'final' | 'refused' | 'unanswered';
  /** Checks and fetches are of a video that is paid for: what is only refused is tried again, and given up sooner. */
  readonly check: 'final' | 'refused' | 'retried';
  readonly fetch: 'refused' | 'retried';
  /** Every image is paid for: only what the upstream itself says it did not make is asked for again. */
  readonly image: 'final' | 'retried';
  /** What the owner of a task or the sender of an image request is told. */
  readonly code: 'upstream_rejected' | 'upstream_unavailable' | 'rate_limited';
  /** Without one, the upstream's own words are passed on. */
  readonly message?: string;
  /** Where the upstream does not say how long to wait. */
  readonly retryAfterSeconds?: number;
  /** What the operator is told when a task or an image request meets it. */
  readonly taskEvent?: 'upstream needs the operator';
  readonly imageEvent?: 'upstream needs the operator' | 'upstream quota used up';
};

const FINAL = { submit: 'final', image: 'final' } as const;
const RETRIED = { submit: 'refused', check: 'retried', fetch: 'retried' } as const;
const FAILED = { code: 'upstream_unavailable', message: 'The generator failed; try again later.' } as const;

/** How a call to the upstream generator can go wrong, and what follows from it. */
const UPSTREAM_FAULTS = {
  /** The client can correct its request. */
  rejected: { ...FINAL, check: 'final', fetch: 'refused', code: 'upstream_rejected' },
  /** Only the operator can help: the key, the payment or the model is wrong. */
  operator: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    code: 'upstream_unavailable',
    message: 'The generator is not available.',
    taskEvent: 'upstream needs the operator',
    imageEvent: 'upstream needs the operator',
  },
  /** A quota that does not come back today. */
  exhausted: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    code: 'rate_limited',
    message: "The generator's daily quota is used up; try again tomorrow.",
    retryAfterSeconds: 3600,
    imageEvent: 'upstream quota used up',
  },
  /** The upstream answered that it did not do it; later it may. */
  busy: {
    ...RETRIED,
    image: 'final',
    code: 'rate_limited',
    message: 'The generator is overloaded; try again later.',
  },
  failing: { ...RETRIED, image: 'retried', ...FAILED },
  /** Nobody knows whether the upstream did it. */
  unanswered: { ...RETRIED, submit: 'unanswered', image: 'final', ...FAILED },
} as const satisfies Record<string, FaultRow>;

export type UpstreamFault = keyof typeof UPSTREAM_FAULTS;

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

  get row(): FaultRow {
    return UPSTREAM_FAULTS[this.fault];
  }
}

/** What the owner of a task is told of an upstream failure if it ends it; the operator is told at once. */
export const taskErrorOf = (logger: Logger, error: UpstreamError): TaskError => {
  const { code, message = error.message, taskEvent } = error.row;
  if (taskEvent !== undefined) logger.error(taskEvent, error, { httpStatus: error.httpStatus });
  return { code, message };
};

/** What the sender of an image request is told of an upstream failure. */
export const imageErrorOf = (logger: Logger, error: UpstreamError): DomainError => {
  const { code, message = error.message, retryAfterSeconds, imageEvent } = error.row;
  if (imageEvent !== undefined) logger.error(imageEvent, error, { httpStatus: error.httpStatus });
  return new DomainError(code, message, {
    retryAfterSeconds: error.retryAfterSeconds ?? retryAfterSeconds,
    cause: error,
  });
};
