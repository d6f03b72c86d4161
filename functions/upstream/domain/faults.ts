import { DomainError } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { oneLine, truncate } from '../../platform/domain/text.ts';

type FaultRule = {
  /** `final` fails the task; the others are retried, and `unanswered` counts as possibly accepted. */
  readonly submit: 'final' | 'refused' | 'unanswered';
  /** The video is paid for, so `refused` checks and fetches are retried too, but not for as long. */
  readonly check: 'final' | 'refused' | 'retried';
  readonly fetch: 'refused' | 'retried';
  /** Every image costs money, so a request is retried only if the upstream reports that it failed. */
  readonly image: 'final' | 'retried';
  /** Whether another upstream may get the request, or after which HTTP statuses: this one has certainly not accepted it. */
  readonly failover: 'always' | 'never' | readonly (number | undefined)[];
  /** The column of the daily counts. */
  readonly counted: 'rejected' | 'refused' | 'failed';
  /** A healthy upstream refused the request; failures of an unhealthy one are counted, unless it pauses at once. */
  readonly isHealthy?: boolean;
  /** The upstream is not used during the pause. */
  readonly pause?: {
    readonly reason: 'busy' | 'quota' | 'refused' | 'retired';
    readonly scope: 'model' | 'upstream';
    /** A request that another upstream has refused does not wait for the end of such a pause. */
    readonly isLong?: boolean;
    /** The default yields to the delay that the upstream asks for. */
  } & ({ readonly seconds: number } | { readonly defaultSeconds: number });
  /** The error code for the owner of the task or the sender of the image request. */
  readonly code: 'upstream_rejected' | 'upstream_unavailable' | 'rate_limited' | 'model_unavailable';
  /** Default: the upstream's own message. */
  readonly message?: string;
  /** Used if the upstream does not say how long to wait. */
  readonly retryAfterSeconds?: number;
  /** Logged for the operator when a task or an image request fails this way, and when the upstream pauses. */
  readonly event?: 'upstream needs the operator' | 'upstream model retired' | 'upstream quota used up';
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

const FINAL = { submit: 'final', image: 'final' } as const;
const RETRIED = { submit: 'refused', check: 'retried', fetch: 'retried' } as const;
const FAILED = {
  counted: 'failed',
  code: 'upstream_unavailable',
  message: 'The generator failed; try again later.',
} as const;

/** Every way in which a call to the upstream can fail, and the consequences. */
const UPSTREAM_FAULTS = {
  /** The client can correct its request, which other upstreams would reject too. */
  rejected: {
    ...FINAL,
    check: 'final',
    fetch: 'refused',
    failover: 'never',
    counted: 'rejected',
    isHealthy: true,
    code: 'upstream_rejected',
  },
  /** Only the operator can fix it: the key, the payment or the address is wrong. */
  operator: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    failover: 'always',
    counted: 'refused',
    pause: { reason: 'refused', scope: 'upstream', isLong: true, seconds: 5 * MINUTE_SECONDS },
    code: 'upstream_unavailable',
    message: 'The generator is not available.',
    event: 'upstream needs the operator',
  },
  /** The upstream does not know the model, or no longer. Another model must be set for it. */
  retired: {
    ...FINAL,
    check: 'final',
    fetch: 'refused',
    failover: 'always',
    counted: 'refused',
    pause: { reason: 'retired', scope: 'model', seconds: 6 * HOUR_SECONDS },
    code: 'model_unavailable',
    message: 'The generator no longer offers this model.',
    event: 'upstream model retired',
  },
  /** A daily quota is used up. */
  exhausted: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    failover: 'always',
    counted: 'refused',
    pause: { reason: 'quota', scope: 'model', isLong: true, defaultSeconds: HOUR_SECONDS },
    code: 'rate_limited',
    message: "The generator's daily quota is used up; try again tomorrow.",
    retryAfterSeconds: HOUR_SECONDS,
    event: 'upstream quota used up',
  },
  /** The upstream refused the call for now. */
  busy: {
    ...RETRIED,
    image: 'final',
    failover: 'always',
    counted: 'refused',
    pause: { reason: 'busy', scope: 'model', defaultSeconds: MINUTE_SECONDS },
    code: 'rate_limited',
    message: 'The generator is overloaded; try again later.',
  },
  /** A 500 can come from anywhere, also from behind the place where the request was accepted. */
  failing: { ...RETRIED, image: 'retried', failover: [undefined, 503], ...FAILED },
  /** The upstream may or may not have processed the call. */
  unanswered: { ...RETRIED, submit: 'unanswered', image: 'final', failover: 'never', ...FAILED },
} as const satisfies Record<string, FaultRule>;

const faultRules: readonly FaultRule[] = Object.values(UPSTREAM_FAULTS);
export const LONG_PAUSES: ReadonlySet<string> = new Set(
  faultRules.flatMap(({ pause }) => (pause?.isLong === true ? [pause.reason] : [])),
);

export type UpstreamFault = keyof typeof UPSTREAM_FAULTS;

type ErrorDetails = {
  readonly httpStatus?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly replacement?: string | undefined;
  readonly cause?: unknown;
};

export class UpstreamError extends Error {
  readonly fault: UpstreamFault;
  readonly httpStatus: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The upstream's name of the model that it recommends instead of a retired one. */
  readonly replacement: string | undefined;
  /** The name of the upstream and our name of the model, set by the caller that knows them. */
  upstream: string | undefined;
  model: string | undefined;

  constructor(fault: UpstreamFault, message: string, details: ErrorDetails = {}) {
    super(oneLine(message), { cause: details.cause });
    this.name = 'UpstreamError';
    this.fault = fault;
    this.httpStatus = details.httpStatus;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.replacement = details.replacement;
  }

  get rule(): FaultRule {
    return UPSTREAM_FAULTS[this.fault];
  }
}

const MAX_MESSAGE = 500;

/** What an upstream says, as one line of a length that is worth storing. */
export const upstreamMessage = (text: string, fallback: string): string =>
  truncate(oneLine(text).trim(), MAX_MESSAGE) || fallback;

/** The upstream has certainly not accepted the request, so another one may get it. */
export const isCertainRefusal = ({ rule: { failover }, httpStatus }: UpstreamError): boolean =>
  typeof failover === 'string' ? failover === 'always' : failover.includes(httpStatus);

/** Logs the event of a fault for the operator, if there is one. */
export const tellOperator = (
  logger: Logger,
  error: UpstreamError,
  { upstream, model }: Pick<UpstreamError, 'upstream' | 'model'> = error,
): void => {
  const { replacement, httpStatus } = error;
  const { event } = error.rule;
  if (event === 'upstream model retired')
    logger.error(event, error, { upstream, model, replacement, httpStatus });
  else if (event !== undefined) logger.error(event, error, { upstream, httpStatus });
};

/** The error for the owner of a task that fails; also logs the event for the operator. */
export const toTaskError = (
  logger: Logger,
  error: UpstreamError,
): { readonly code: FaultRule['code']; readonly message: string } => {
  const { code, message = error.message } = error.rule;
  tellOperator(logger, error);
  return { code, message };
};

/** The error for the sender of an image request; also logs the event for the operator. */
export const toImageError = (logger: Logger, error: UpstreamError): DomainError => {
  const { code, message = error.message, retryAfterSeconds } = error.rule;
  tellOperator(logger, error);
  return new DomainError(code, message, {
    retryAfterSeconds: error.retryAfterSeconds ?? retryAfterSeconds,
    cause: error,
  });
};
