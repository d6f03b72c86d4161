import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { refuseWhenThrottled } from './throttling.ts';

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
