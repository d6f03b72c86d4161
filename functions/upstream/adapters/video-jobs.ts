import * as z from 'zod/mini';
import { type Cost, readCost } from '../../platform/domain/money.ts';
import { upstreamMessage } from '../domain/faults.ts';
import { VIDEO_ERROR_CODES, type VideoError, type VideoErrorCode } from '../domain/video-generator.ts';
import { lenient, lenientText } from './lenient.ts';
import { unreadableOperation } from './video-format.ts';

/** The format of video jobs, which OpenRouter and the servers of the Videos API share. */

const jobSchema = z.object({
  status: z.string(),
  unsigned_urls: lenient(z.array(z.string()), []),
  usage: lenient(z.object({ cost: z.optional(z.unknown()) }), undefined),
  error: z.optional(z.unknown()),
});

/** Any other status, also an unknown one, means that the video is not finished. */
const DONE: readonly string[] = ['completed', 'succeeded'];
const FAILED: ReadonlyMap<string, string> = new Map([
  ['failed', 'The generator failed.'],
  ['error', 'The generator failed.'],
  ['cancelled', 'The generator cancelled the video.'],
  ['canceled', 'The generator cancelled the video.'],
  ['expired', 'The video expired at the generator.'],
]);

/** Codes of this service that would mean something else here: its owner did not cancel, and nothing failed here. */
const FOREIGN_CODES: readonly VideoErrorCode[] = ['cancelled', 'internal'];

/** Another code means upstream_unavailable. Another deployment of this service has the same codes. */
const ERROR_CODES: ReadonlyMap<string, VideoErrorCode> = new Map<string, VideoErrorCode>([
  ...VIDEO_ERROR_CODES.filter((code) => !FOREIGN_CODES.includes(code)).map((code) => [code, code] as const),
  ['content_policy_violation', 'content_blocked'],
  ['moderation_blocked', 'content_blocked'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['rate_limit_error', 'rate_limited'],
  ['invalid_request', 'upstream_rejected'],
  ['invalid_request_error', 'upstream_rejected'],
  ['invalid_value', 'upstream_rejected'],
  ['invalid_parameter', 'upstream_rejected'],
  ['invalid_prompt', 'upstream_rejected'],
  ['invalid_image', 'upstream_rejected'],
]);

/** Only Google's safety filters give such codes; gateways pass on its text. */
const SUPPORT_CODES = /\bSupport codes?: ?\d/;

const errorFields = { code: lenientText, type: lenientText, message: lenientText };
const errorSchema = z.object({
  ...errorFields,
  error: lenient(z.object(errorFields), undefined),
});

/** Null, a text, `{code, message}` or `{error: {message, type, code}}`. */
const readJobError = (given: unknown, fallback: string): VideoError => {
  const outer = typeof given === 'string' ? { message: given } : (errorSchema.safeParse(given).data ?? {});
  const { code, type, message } = { ...outer, ...('error' in outer ? outer.error : {}) };
  const text = upstreamMessage(message ?? '', fallback);
  const known = [code, type].flatMap((name) => ERROR_CODES.get(name ?? '') ?? []);
  const byText = SUPPORT_CODES.test(text) ? 'content_blocked' : 'upstream_unavailable';
  return { code: known[0] ?? byText, message: text };
};

export type Job =
  | { readonly state: 'pending' }
  | {
      readonly state: 'done';
      readonly address: string | undefined;
      /** In US dollars, from the upstreams that report it. */
      readonly cost: Cost | undefined;
    }
  | { readonly state: 'failed'; readonly error: VideoError };

export const readJob = (answer: unknown): Job => {
  const parsed = jobSchema.safeParse(answer);
  if (!parsed.success) throw unreadableOperation();
  const { status, unsigned_urls: addresses, usage, error } = parsed.data;
  const failure = FAILED.get(status);
  if (failure !== undefined) return { state: 'failed', error: readJobError(error, failure) };
  return DONE.includes(status)
    ? { state: 'done', address: addresses[0], cost: readCost(usage?.cost, 'USD') }
    : { state: 'pending' };
};
