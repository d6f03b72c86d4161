import type { TaskError } from '../domain/task.ts';
import type { UpstreamError } from '../domain/upstream-error.ts';
import type { Worker } from './worker.ts';

/** What a task's owner is told of an upstream failure: the upstream's own words only where the owner can mend it. */
export const taskErrorOf = ({ logger }: Pick<Worker, 'logger'>, error: UpstreamError): TaskError => {
  switch (error.fault) {
    case 'rejected':
      return { code: 'upstream_rejected', message: error.message };
    case 'exhausted':
      return { code: 'rate_limited', message: "The generator's daily quota is used up; try again tomorrow." };
    case 'operator':
      logger.error('upstream needs the operator', error, { httpStatus: error.httpStatus });
      return { code: 'upstream_unavailable', message: 'The generator is not available.' };
    case 'busy':
    case 'failing':
    case 'unanswered':
      return { code: 'upstream_unavailable', message: 'The generator failed; try again later.' };
  }
};
