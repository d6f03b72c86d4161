import { imageRoom } from '../../catalogue/domain/models.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';

type FaultRow = {
  /** `final` fails the task; the others are retried, and `unanswered` counts as possibly accepted. */
  readonly submit: 'final' | 'refused' | 'unanswered';
  /** The video is paid for, so `refused` checks and fetches are retried too, but not for as long. */
  readonly check: 'final' | 'refused' | 'retried';
  readonly fetch: 'refused' | 'retried';
  /** Every image costs money, so a request is retried only if the upstream reports that it failed. */
  readonly image: 'final' | 'retried';
  /** Whether another upstream may get the request, or after which HTTP statuses: this one has certainly not accepted it. */
  readonly failover: 'always' | 'never' | readonly (number | undefined)[];
  /** The upstream is not used during the pause. Without one, nothing is wrong with it, or failures are counted first. */
  readonly pause?: {
    readonly reason: 'busy' | 'quota' | 'refused' | 'retired';
    readonly scope: 'model' | 'upstream';
    /** The default yields to the delay that the upstream asks for. */
  } & ({ readonly seconds: number } | { readonly defaultSeconds: number });
  /** The error code for the owner of the task or the sender of the image request. */
  readonly code: 'upstream_rejected' | 'upstream_unavailable' | 'rate_limited' | 'model_unavailable';
  /** Default: the upstream's own message. */
  readonly message?: string;
  /** Used if the upstream does not say how long to wait. */
  readonly retryAfterSeconds?: number;
  /** Logged for the operator when a task or an image request fails this way. */
  readonly taskEvent?: 'upstream needs the operator' | 'upstream model retired';
  readonly imageEvent?: 'upstream needs the operator' | 'upstream model retired' | 'upstream quota used up';
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

const FINAL = { submit: 'final', image: 'final' } as const;
const RETRIED = { submit: 'refused', check: 'retried', fetch: 'retried' } as const;
const FAILED = { code: 'upstream_unavailable', message: 'The generator failed; try again later.' } as const;

/** Every way in which a call to the upstream can fail, and the consequences. */
const UPSTREAM_FAULTS = {
  /** The client can correct its request, which other upstreams would reject too. */
  rejected: {
    ...FINAL,
    check: 'final',
    fetch: 'refused',
    failover: 'never',
    code: 'upstream_rejected',
  },
  /** Only the operator can fix it: the key, the payment or the address is wrong. */
  operator: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    failover: 'always',
    pause: { reason: 'refused', scope: 'upstream', seconds: 5 * MINUTE_SECONDS },
    code: 'upstream_unavailable',
    message: 'The generator is not available.',
    taskEvent: 'upstream needs the operator',
    imageEvent: 'upstream needs the operator',
  },
  /** The upstream does not know the model, or no longer. Another model must be set for it. */
  retired: {
    ...FINAL,
    check: 'final',
    fetch: 'refused',
    failover: 'always',
    pause: { reason: 'retired', scope: 'model', seconds: 6 * HOUR_SECONDS },
    code: 'model_unavailable',
    message: 'The generator no longer offers this model.',
    taskEvent: 'upstream model retired',
    imageEvent: 'upstream model retired',
  },
  /** A daily quota is used up. */
  exhausted: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    failover: 'always',
    pause: { reason: 'quota', scope: 'model', defaultSeconds: HOUR_SECONDS },
    code: 'rate_limited',
    message: "The generator's daily quota is used up; try again tomorrow.",
    retryAfterSeconds: HOUR_SECONDS,
    imageEvent: 'upstream quota used up',
  },
  /** The upstream refused the call for now. */
  busy: {
    ...RETRIED,
    image: 'final',
    failover: 'always',
    pause: { reason: 'busy', scope: 'model', defaultSeconds: MINUTE_SECONDS },
    code: 'rate_limited',
    message: 'The generator is overloaded; try again later.',
  },
  /** A 500 can come from anywhere, also from behind the place where the request was accepted. */
  failing: { ...RETRIED, image: 'retried', failover: [undefined, 503], ...FAILED },
  /** The upstream may or may not have processed the call. */
  unanswered: { ...RETRIED, submit: 'unanswered', image: 'final', failover: 'never', ...FAILED },
} as const satisfies Record<string, FaultRow>;

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
    super(message, { cause: details.cause });
    this.name = 'UpstreamError';
    this.fault = fault;
    this.httpStatus = details.httpStatus;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.replacement = details.replacement;
  }

  get row(): FaultRow {
    return UPSTREAM_FAULTS[this.fault];
  }
}

/** The upstream has certainly not accepted the request, so another one may get it. */
export const isCertainRefusal = ({ row: { failover }, httpStatus }: UpstreamError): boolean =>
  typeof failover === 'string' ? failover === 'always' : failover.includes(httpStatus);

/** Logs the event of a fault for the operator, if there is one. */
const tellOperator = (
  logger: Logger,
  event: FaultRow['taskEvent'] | FaultRow['imageEvent'],
  error: UpstreamError,
): void => {
  const { upstream, model, replacement, httpStatus } = error;
  if (event === 'upstream model retired')
    logger.error(event, error, { upstream, model, replacement, httpStatus });
  else if (event !== undefined) logger.error(event, error, { upstream, httpStatus });
};

/** The error for the owner of a task that fails; also logs the event for the operator. */
export const toTaskError = (
  logger: Logger,
  error: UpstreamError,
): { readonly code: FaultRow['code']; readonly message: string } => {
  const { code, message = error.message, taskEvent } = error.row;
  tellOperator(logger, taskEvent, error);
  return { code, message };
};

/** The error for the sender of an image request; also logs the event for the operator. */
export const toImageError = (logger: Logger, error: UpstreamError): DomainError => {
  const { code, message = error.message, retryAfterSeconds, imageEvent } = error.row;
  tellOperator(logger, imageEvent, error);
  return new DomainError(code, message, {
    retryAfterSeconds: error.retryAfterSeconds ?? retryAfterSeconds,
    cause: error,
  });
};

/** Quotas are counted by the minute; a longer delay concerns only the refused task. */
const LONGEST_PAUSE = 60_000;
/** One refusal may concern one task; this many in a row concern all of them. */
const REFUSALS = 3;

/** Calls that the upstream has asked this process to pause: checks, or submits to a model. */
export type UpstreamPauses = {
  /** Notes the result of a call; without an error it was successful. */
  note(call: string, error?: UpstreamError): void;
  /** Milliseconds until the call may be made again; 0 without a pause. */
  remaining(call: string): number;
};

export const CHECKS = 'checks';

/** A busy upstream is busy for all tasks; without pauses, each of them would claim, call and write a refusal. */
export const upstreamPauses = (now: Clock): UpstreamPauses => {
  const until = new Map<string, number>();
  const refusals = new Map<string, number>();
  return {
    note: (call, error) => {
      const count = error?.fault === 'busy' ? (refusals.get(call) ?? 0) + 1 : 0;
      refusals.set(call, count);
      if (error === undefined || count < REFUSALS) return;
      const pause = (error.retryAfterSeconds ?? 0) * 1000;
      if (pause <= LONGEST_PAUSE) until.set(call, now() + pause);
    },
    remaining: (call) => Math.max(0, (until.get(call) ?? 0) - now()),
  };
};

/** For the JSON around texts and images. */
const FRAME_BYTES = 2000;
const MEGABYTE = 1_000_000;

export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);
const jsonLength = (text: string): number => Buffer.byteLength(JSON.stringify(text));

type Content = {
  readonly texts: readonly (string | undefined)[];
  /** The number of bytes of each image. */
  readonly images: readonly number[];
  /** The field that the error names. */
  readonly param: string | undefined;
};

/** Refuses a request that is too large for the upstream before it is accepted or charged. */
export const requireUpstreamRoom = ({ texts, images, param }: Content, megabytes: number): void => {
  const imageBytes = images.reduce((sum, bytes) => sum + bytes, 0);
  if (imageBytes > imageRoom(megabytes))
    throw new DomainError(
      'invalid_request',
      `The images are too large: together they have ${formatMegabytes(imageBytes)}, but a request may have at most ${formatMegabytes(imageRoom(megabytes))} of images.`,
      { param },
    );
  const lengths = [...texts.map((text) => jsonLength(text ?? '')), ...images.map(base64Length)];
  const bytes = lengths.reduce((sum, length) => sum + length, FRAME_BYTES);
  if (bytes <= megabytes * MEGABYTE) return;
  throw new DomainError(
    'invalid_request',
    `The request is too large: with the texts, and the images encoded as Base64, it has ${formatMegabytes(bytes)}, but the generator accepts at most ${megabytes} MB.`,
    { param },
  );
};
