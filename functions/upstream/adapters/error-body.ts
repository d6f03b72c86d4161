import * as z from 'zod/mini';
import { lenient, lenientText } from './lenient.ts';

/** The errors of all kinds of upstreams in one shape. A field of another type counts as missing. */

const detailSchema = z.object({
  reason: lenientText,
  retryDelay: lenientText,
  violations: lenient(z.array(z.object({ quotaId: lenientText })), undefined),
});
const fieldsSchema = z.object({
  message: lenient(z.string(), ''),
  /** Google's name of the error. */
  status: lenientText,
  /** OpenAI's names; at others, `code` is a number that repeats the HTTP status. */
  code: lenientText,
  type: lenientText,
  details: lenient(z.array(detailSchema), []),
  /** OpenRouter's reasons for refusing a prompt. */
  metadata: lenient(
    z.object({ reasons: z.optional(z.unknown()), flagged_input: z.optional(z.unknown()) }),
    undefined,
  ),
});
const wrapperSchema = z.object({ error: z.optional(z.unknown()) });

export type ErrorBody = z.infer<typeof fieldsSchema>;

const toFields = (message: string): unknown => ({ message });

/** Reads `{"error": {…}}`, `{"error": "text"}`, `{"message": …}`, or a list that begins with one of them. */
export const readErrorBody = (text: string): ErrorBody => {
  try {
    const body: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(body) ? body[0] : body;
    const { error = first } = wrapperSchema.parse(first);
    return fieldsSchema.parse(typeof error === 'string' ? toFields(error) : error);
  } catch {
    // A proxy may have sent an HTML page or an empty body.
    return fieldsSchema.parse(toFields(''));
  }
};

export const isBadKeyOrLocation = ({ status, details }: ErrorBody): boolean =>
  status === 'FAILED_PRECONDITION' || details.some(({ reason }) => reason === 'API_KEY_INVALID');

export const isDailyQuota = ({ details }: ErrorBody): boolean =>
  details.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes('PerDay')));

/** The account of the operator has no credit, which no pause renews. */
export const needsPayment = ({ code, type }: ErrorBody): boolean =>
  code === 'insufficient_quota' || type === 'insufficient_quota';

/** The prompt was refused, not the key. */
export const isBlockedPrompt = ({ metadata }: ErrorBody): boolean =>
  (metadata?.reasons ?? metadata?.flagged_input) !== undefined;

/** The key is unknown, blocked, or not allowed to make this call. */
export const refusesCredential = (httpStatus: number, body: ErrorBody): boolean => {
  if (httpStatus === 400) return body.details.some(({ reason }) => reason === 'API_KEY_INVALID');
  return httpStatus === 401 || (httpStatus === 403 && !isBlockedPrompt(body));
};

/** Google's 404 for a retired model names its successor. */
export const readReplacement = ({ message }: ErrorBody): string | undefined =>
  /\buse models\/([\w.-]{1,100}) for\b/.exec(message)?.[1];
