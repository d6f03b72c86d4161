import { DomainError } from '../domain/errors.ts';
import type { Clock } from '../domain/ports.ts';
import type { Authenticate } from './authenticate.ts';

type Bucket = { readonly tokens: number; readonly at: number };

const MAX_KEPT = 1000;

const refusal = (whose: string, limit: number, seconds: number): DomainError =>
  new DomainError(
    'rate_limited',
    `Too many requests a second from ${whose}: limit ${limit}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );

/**
 * Holds a key and an account to their requests a second, where there is such a limit. Counted in this instance of
 * the function alone: a count that all share would cost each request a call.
 */
export const limitRequests = (
  authenticate: Authenticate,
  accountRequestsPerSecond: number | undefined,
  now: Clock,
): Authenticate => {
  const buckets = new Map<string, Bucket>();

  /** A second's worth may come at once. */
  const tokensOf = (name: string, limit: number): number => {
    const { tokens, at } = buckets.get(name) ?? { tokens: limit, at: now() };
    return Math.min(limit, tokens + ((now() - at) / 1000) * limit);
  };

  return async (dialect, places) => {
    const caller = await authenticate(dialect, places);
    const limits = (
      [
        ['the API key', `key ${caller.keyId}`, caller.requestsPerSecond],
        ['the account', `account ${caller.account}`, accountRequestsPerSecond],
      ] as const
    ).flatMap(([whose, name, limit]) =>
      limit === undefined ? [] : [{ whose, name, limit, tokens: tokensOf(name, limit) }],
    );
    for (const { whose, limit, tokens } of limits)
      if (tokens < 1) throw refusal(whose, limit, Math.ceil((1 - tokens) / limit));
    if (buckets.size >= MAX_KEPT) buckets.clear();
    for (const { name, tokens } of limits) buckets.set(name, { tokens: tokens - 1, at: now() });
    return caller;
  };
};
