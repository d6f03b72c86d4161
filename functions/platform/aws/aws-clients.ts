import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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

/** How long a call to AWS may take. All times in milliseconds. */

const MAX_ATTEMPTS = 4;
const CONNECTION_TIMEOUT = 1000;
/** AWS answers in a fraction of it; what takes longer was lost, and the next try finds another server. */
export const RESPONSE_TIMEOUT = 4000;
/** The SDK's pauses between four tries: half a second, one, two, when it is told to slow down. */
const LONGEST_PAUSES = 3500;

/** What one call can take in all: less than the shortest timeout of a function. */
export const LONGEST_CALL = MAX_ATTEMPTS * (CONNECTION_TIMEOUT + RESPONSE_TIMEOUT) + LONGEST_PAUSES;

/** Time without a byte in either direction: a slow upload is not cut off, a silent server is. */
const IDLE_TIMEOUTS = { connectionTimeout: CONNECTION_TIMEOUT, socketTimeout: RESPONSE_TIMEOUT };

/** For large bodies. */
export const TRANSFER_OPTIONS = { maxAttempts: MAX_ATTEMPTS, requestHandler: IDLE_TIMEOUTS };

/** For short exchanges. Without `throwOnRequestTimeout` the SDK would only warn, and go on waiting. */
export const CLIENT_OPTIONS = {
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: { ...IDLE_TIMEOUTS, requestTimeout: RESPONSE_TIMEOUT, throwOnRequestTimeout: true },
};

/**
 * Takes out of a client what takes much of its CPU and serves nobody here: a logger that walks every answer
 * for a log that is off, and a description of this software for AWS's statistics.
 */
export const lean = <Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  client: Client,
): Client => {
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) client.middlewareStack.remove(name);
  return client;
};

/** Whoever works off a queue waits while a table is throttled; a request is refused, and its client waits. */
export const dynamoClient = (patienceMs = 0): DynamoDBClient => {
  const client = lean(new DynamoDBClient(CLIENT_OPTIONS));
  refuseWhenThrottled(client.middlewareStack, patienceMs);
  return client;
};

export const hasName = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** Runs a conditional write: false when its condition does not hold. */
export const conditionHeld = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (hasName(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};
