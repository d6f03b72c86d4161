import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { TaskError } from '../../videos/domain/task.ts';

type FaultRow = {
  /** `final` fails the task; the others are retried, and `unanswered` counts as possibly accepted. */
  readonly submit: 'final' | 'refused' | 'unanswered';
  /** The video is paid for, so `refused` checks and fetches are retried too, but not for as long. */
  readonly check: 'final' | 'refused' | 'retried';
  readonly fetch: 'refused' | 'retried';
  /** Every image costs money, so a request is retried only if the upstream reports that it failed. */
  readonly image: 'final' | 'retried';
  /** The error code for the owner of the task or the sender of the image request. */
  readonly code: 'upstream_rejected' | 'upstream_unavailable' | 'rate_limited';
  /** Default: the upstream's own message. */
  readonly message?: string;
  /** Used if the upstream does not say how long to wait. */
  readonly retryAfterSeconds?: number;
  /** Logged for the operator when a task or an image request fails this way. */
  readonly taskEvent?: 'upstream needs the operator';
  readonly imageEvent?: 'upstream needs the operator' | 'upstream quota used up';
};

const FINAL = { submit: 'final', image: 'final' } as const;
const RETRIED = { submit: 'refused', check: 'retried', fetch: 'retried' } as const;
const FAILED = { code: 'upstream_unavailable', message: 'The generator failed; try again later.' } as const;

/** Every way in which a call to the upstream can fail, and the consequences. */
const UPSTREAM_FAULTS = {
  /** The client can correct its request. */
  rejected: { ...FINAL, check: 'final', fetch: 'refused', code: 'upstream_rejected' },
  /** Only the operator can fix it: the key, the payment or the model is wrong. */
  operator: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    code: 'upstream_unavailable',
    message: 'The generator is not available.',
    taskEvent: 'upstream needs the operator',
    imageEvent: 'upstream needs the operator',
  },
  /** A daily quota is used up. */
  exhausted: {
    ...FINAL,
    check: 'refused',
    fetch: 'retried',
    code: 'rate_limited',
    message: "The generator's daily quota is used up; try again tomorrow.",
    retryAfterSeconds: 3600,
    imageEvent: 'upstream quota used up',
  },
  /** The upstream refused the call for now. */
  busy: {
    ...RETRIED,
    image: 'final',
    code: 'rate_limited',
    message: 'The generator is overloaded; try again later.',
  },
  failing: { ...RETRIED, image: 'retried', ...FAILED },
  /** The upstream may or may not have processed the call. */
  unanswered: { ...RETRIED, submit: 'unanswered', image: 'final', ...FAILED },
} as const satisfies Record<string, FaultRow>;

export type UpstreamFault = keyof typeof UPSTREAM_FAULTS;

export class UpstreamError extends Error {
  readonly fault: UpstreamFault;
  readonly httpStatus: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The name of the upstream, set by the caller that knows it. */
  upstream: string | undefined;

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

/**
 * The upstream has certainly not accepted the request, so another one may get it. A 500 can come from anywhere, and a
 * rejected request would be rejected elsewhere too.
 */
export const isCertainRefusal = ({ fault, httpStatus }: UpstreamError): boolean =>
  fault === 'busy' ||
  fault === 'exhausted' ||
  fault === 'operator' ||
  (fault === 'failing' && (httpStatus === undefined || httpStatus === 503));

/** The error for the owner of a task that fails; also logs the event for the operator. */
export const toTaskError = (logger: Logger, error: UpstreamError): TaskError => {
  const { code, message = error.message, taskEvent } = error.row;
  if (taskEvent !== undefined)
    logger.error(taskEvent, error, { upstream: error.upstream, httpStatus: error.httpStatus });
  return { code, message };
};

/** The error for the sender of an image request; also logs the event for the operator. */
export const toImageError = (logger: Logger, error: UpstreamError): DomainError => {
  const { code, message = error.message, retryAfterSeconds, imageEvent } = error.row;
  if (imageEvent !== undefined)
    logger.error(imageEvent, error, { upstream: error.upstream, httpStatus: error.httpStatus });
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
  const lengths = [...texts.map((text) => jsonLength(text ?? '')), ...images.map(base64Length)];
  const bytes = lengths.reduce((sum, length) => sum + length, FRAME_BYTES);
  if (bytes <= megabytes * MEGABYTE) return;
  throw new DomainError(
    'invalid_request',
    `The images are too large: with the texts, and encoded as Base64, the request has ${bytes} bytes, but the generator accepts at most ${megabytes} MB.`,
    { param },
  );
};
