import assert from 'node:assert/strict';
import type { LogFields, Logger } from '../../functions/platform/domain/log-events.ts';

/** For tests in which nothing may be logged as an error: one fails the call that logs it. */
export const strictLogger: Logger = {
  info: () => {},
  error: (event, error) => assert.fail(`${event}: ${error}`),
};

type LoggedError = {
  readonly event: string;
  readonly fields: LogFields;
  readonly message: string;
};

/** Keeps the errors to be looked at. */
export const recordingLogger = (): { readonly logger: Logger; readonly errors: LoggedError[] } => {
  const errors: LoggedError[] = [];
  return {
    errors,
    logger: {
      info: () => {},
      error: (event, error, fields) =>
        void errors.push({ event, fields, message: error instanceof Error ? error.message : '' }),
    },
  };
};
