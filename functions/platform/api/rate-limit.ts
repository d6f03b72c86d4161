import type { RateLimit } from '../domain/rate-limit.ts';

/** How many creates are left this minute, as OpenAI's API tells it; nothing where there is no limit. */
export const rateLimitHeaders = (rateLimit: RateLimit | undefined): Record<string, string> =>
  rateLimit === undefined
    ? {}
    : {
        'x-ratelimit-limit-requests': String(rateLimit.limit),
        'x-ratelimit-remaining-requests': String(rateLimit.remaining),
        'x-ratelimit-reset-requests': `${rateLimit.resetSeconds}s`,
      };
