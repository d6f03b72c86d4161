import { DomainError } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/ports.ts';
import type { TaskError } from '../../videos/domain/task.ts';
import type { UpstreamError } from './upstream-error.ts';

/** What the owner of a task is told of an upstream failure if it ends it; the operator is told at once. */
export const taskErrorOf = (logger: Logger, error: UpstreamError): TaskError => {
  const { code, message = error.message, taskEvent } = error.row;
  if (taskEvent !== undefined) logger.error(taskEvent, error, { httpStatus: error.httpStatus });
  return { code, message };
};

/** What the sender of an image request is told of an upstream failure. */
export const imageErrorOf = (logger: Logger, error: UpstreamError): DomainError => {
  const { code, message = error.message, retryAfterSeconds, imageEvent } = error.row;
  if (imageEvent !== undefined) logger.error(imageEvent, error, { httpStatus: error.httpStatus });
  return new DomainError(code, message, {
    retryAfterSeconds: error.retryAfterSeconds ?? retryAfterSeconds,
    cause: error,
  });
};
