import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/truncate.ts';
import { UpstreamError, type UpstreamFault } from '../domain/upstream-error.ts';

/** Reads an error answer of the upstream: JSON of its own form, or whatever a proxy in between sent. */
const detailSchema = z.object({
  reason: z.optional(z.string()),
  retryDelay: z.optional(z.string()),
  violations: z.optional(z.array(z.object({ quotaId: z.optional(z.string()) }))),
});
const errorSchema = z.object({
  error: z.object({
    message: z._default(z.string(), ''),
    status: z.optional(z.string()),
    details: z._default(z.array(detailSchema), []),
  }),
});
type ErrorBody = z.infer<typeof errorSchema>['error'];

const MAX_MESSAGE = 500;

const readErrorBody = (text: string): ErrorBody => {
  try {
    return errorSchema.parse(JSON.parse(text)).error;
  } catch {
    // An HTML page or an empty body says nothing that a client should read.
    return { message: '', details: [] };
  }
};

const isBadKeyOrPlace = ({ status, details }: ErrorBody): boolean =>
  status === 'FAILED_PRECONDITION' || details.some(({ reason }) => reason === 'API_KEY_INVALID');

const isDailyQuota = ({ details }: ErrorBody): boolean =>
  details.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes('PerDay')));

const faultOf = (httpStatus: number, body: ErrorBody): UpstreamFault => {
  switch (httpStatus) {
    case 400:
      return isBadKeyOrPlace(body) ? 'operator' : 'rejected';
    case 401:
    case 402:
    case 403:
    case 404:
      return 'operator';
    case 429:
      return isDailyQuota(body) ? 'exhausted' : 'busy';
    case 408:
    case 502:
    case 504:
      // A proxy gave up waiting: what is behind it may have done the work.
      return 'unanswered';
    default:
      if (httpStatus >= 500) return 'failing';
      // A redirect of a call means a wrong base address.
      return httpStatus >= 400 ? 'rejected' : 'operator';
  }
};

const secondsOf = (duration: string | null | undefined): number | undefined => {
  const match = /^(\d+(?:\.\d+)?)s?$/.exec(duration ?? '');
  return match === null ? undefined : Number(match[1]);
};

export const upstreamErrorOf = async (response: Response): Promise<UpstreamError> => {
  const body = readErrorBody(await response.text().catch(() => ''));
  const retryDelay = body.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return new UpstreamError(
    faultOf(response.status, body),
    truncate(body.message, MAX_MESSAGE) || `The generator answered ${response.status}.`,
    {
      httpStatus: response.status,
      retryAfterSeconds: secondsOf(retryDelay) ?? secondsOf(response.headers.get('retry-after')),
    },
  );
};
