import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HandlerExecutionContext, MiddlewareStack } from '@smithy/types';
import { DomainError } from '../domain/errors.ts';
import type { Logger } from '../domain/log-events.ts';
import { jsonLogger } from '../runtime/logger.ts';

/** The error names that DynamoDB, SQS and S3 use for throttling. */
const THROTTLES: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'OverLimit',
  'KmsThrottled',
  'SlowDown',
];
/** The cancellation reasons of a throttled transaction. */
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

/** Retries a throttled call with jitter until the time is over, then fails with `overloaded`. */
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

/** How long a call to AWS may take. All times in milliseconds. */

const MAX_ATTEMPTS = 4;
const CONNECTION_TIMEOUT = 1000;
/** AWS usually responds in a fraction of this; a slower request is lost, and the retry reaches another server. */
export const RESPONSE_TIMEOUT = 4000;
/** The SDK's longest pauses between four attempts: 0.5, 1 and 2 seconds. */
const LONGEST_PAUSES = 3500;

/** The longest time that one call can take: less than the shortest function timeout. */
export const LONGEST_CALL = MAX_ATTEMPTS * (CONNECTION_TIMEOUT + RESPONSE_TIMEOUT) + LONGEST_PAUSES;

/** Time without a byte in either direction: a slow upload continues, a silent server is given up. */
const IDLE_TIMEOUTS = { connectionTimeout: CONNECTION_TIMEOUT, socketTimeout: RESPONSE_TIMEOUT };

export const TRANSFER_OPTIONS = { maxAttempts: MAX_ATTEMPTS, requestHandler: IDLE_TIMEOUTS };

/** For short exchanges. Without `throwOnRequestTimeout` the SDK only warns and keeps waiting. */
export const CLIENT_OPTIONS = {
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: { ...IDLE_TIMEOUTS, requestTimeout: RESPONSE_TIMEOUT, throwOnRequestTimeout: true },
};

/** Whether AWS denied the call: HEAD responses have only the status, and DynamoDB answers 400 with the name. */
const isDenied = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name.includes('AccessDenied') ||
    ('$metadata' in error && Object(error.$metadata).httpStatusCode === 403));

/** Such as `S3 GetObject`. */
const describeCall = ({ clientName = '', commandName = '' }: HandlerExecutionContext): string =>
  `${clientName.replace(/Client$/, '')} ${commandName.replace(/Command$/, '')}`;

/** Logs each denied call, which raises an alarm: the role of a function lacks a permission. */
const reportDenials = <Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  logger: Pick<Logger, 'error'>,
): void =>
  stack.add((next, context) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (isDenied(error)) logger.error('access denied', error, { awsCall: describeCall(context) });
      throw error;
    }
  });

/** Middleware that costs CPU and has no use here: a disabled logger and the user agent for AWS's statistics. */
const UNUSED = ['loggerMiddleware', 'getUserAgentMiddleware'];

export const prepareClient = <Client, Input extends object, Output extends object>(
  client: Client & { readonly middlewareStack: MiddlewareStack<Input, Output> },
  logger: Pick<Logger, 'error'> = jsonLogger(),
): Client => {
  for (const name of UNUSED) client.middlewareStack.remove(name);
  reportDenials(client.middlewareStack, logger);
  return client;
};

/** The client fails with `overloaded` if throttling outlasts the SDK's own retries and the given time. */
export const impatientClient = <Client, Input extends object, Output extends object>(
  client: Client & { readonly middlewareStack: MiddlewareStack<Input, Output> },
  patienceMs = 0,
): Client => {
  prepareClient(client);
  const options = { milliseconds: patienceMs };
  client.middlewareStack.add((next) => (request) => retryWhileThrottled(() => next(request), options));
  return client;
};

/** Queue workers wait while a table is throttled; API requests fail immediately, and their client retries. */
export const dynamoClient = (patienceMs = 0): DynamoDBClient =>
  impatientClient(new DynamoDBClient(CLIENT_OPTIONS), patienceMs);

export const hasName = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);
