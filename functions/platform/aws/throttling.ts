import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareStack } from '@smithy/types';
import { DomainError } from '../domain/errors.ts';

/** The names under which DynamoDB, SQS and S3 refuse a call because there are too many of them. */
const THROTTLES: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'OverLimit',
  'KmsThrottled',
  'SlowDown',
];
/** And the reasons of a transaction that was cancelled for it. */
const REASONS: readonly unknown[] = ['ThrottlingError', 'ProvisionedThroughputExceeded'];

const LONGEST_PAUSE = 5000;
const RETRY_AFTER_SECONDS = 5;

const hasThrottledReason = (error: Error): boolean =>
  'CancellationReasons' in error &&
  Array.isArray(error.CancellationReasons) &&
  error.CancellationReasons.some((reason: { readonly Code?: unknown }) => REASONS.includes(reason.Code));

export const isThrottled = (error: unknown): boolean =>
  error instanceof Error && (THROTTLES.includes(error.name) || hasThrottledReason(error));

type Patience = {
  readonly milliseconds: number;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
};

/** Repeats a call that is throttled, at random moments, until the patience is over; then it is `overloaded`. */
export const retryWhileThrottled = async <T>(
  call: () => Promise<T>,
  { milliseconds, now = () => performance.now(), pause = sleep }: Patience,
): Promise<T> => {
  const giveUpAt = now() + milliseconds;
  for (let tries = 1; ; tries += 1)
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error)) throw error;
      if (now() >= giveUpAt)
        throw new DomainError('overloaded', 'The service has too much to do at once; try again.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      await pause(Math.random() * Math.min(LONGEST_PAUSE, 250 * 2 ** tries));
    }
};

/** Makes a client say `overloaded` when AWS throttles it for longer than the SDK's own tries and this patience. */
export const refuseWhenThrottled = <Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  patienceMs: number,
): void =>
  stack.add((next) => (request) => retryWhileThrottled(() => next(request), { milliseconds: patienceMs }), {
    step: 'initialize',
    name: 'refuseWhenThrottled',
  });
