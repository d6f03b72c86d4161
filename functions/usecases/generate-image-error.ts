import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/ports.ts';
import type { UpstreamError } from '../domain/upstream-error.ts';

const QUOTA_RETRY_SECONDS = 3600;

/** What a client is told of an upstream failure: the upstream's own words only where the client can mend it. */
export const imageErrorOf = (logger: Logger, error: UpstreamError): DomainError => {
  const { fault, message, httpStatus, retryAfterSeconds } = error;
  const details = { retryAfterSeconds, cause: error };
  switch (fault) {
    case 'rejected':
      return new DomainError('upstream_rejected', message, details);
    case 'busy':
      return new DomainError('rate_limited', 'The generator has too much to do; try again later.', details);
    case 'exhausted':
      logger.error('upstream quota used up', error, { httpStatus });
      return new DomainError('rate_limited', "The generator's daily quota is used up; try again tomorrow.", {
        ...details,
        retryAfterSeconds: retryAfterSeconds ?? QUOTA_RETRY_SECONDS,
      });
    case 'operator':
      logger.error('upstream needs the operator', error, { httpStatus });
      return new DomainError('upstream_unavailable', 'The generator is not available.', details);
    case 'failing':
    case 'unanswered':
      logger.info('upstream failed', { fault, httpStatus });
      return new DomainError('upstream_unavailable', 'The generator failed; try again later.', details);
  }
};
