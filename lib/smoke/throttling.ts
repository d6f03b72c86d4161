import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, CheckFailure } from './answers.ts';

/**
 * If an account has no execution left, Lambda throttles the function and the gateway answers in its place. The function
 * has not run, so the request can be sent again.
 */

/** Functions always send `cache-control`, gateway responses never; S3 does not send the gateway's own header. */
const isFromGateway = ({ headers }: Answer): boolean =>
  headers.has('x-amz-apigw-id') && !headers.has('cache-control');

/** The gateway response INTEGRATION_FAILURE. A function that failed gets 502, one that takes too long 504. */
export const isThrottled = (answer: Answer): boolean => isFromGateway(answer) && answer.status === 503;

/** Less than a minute in total. */
export const RETRY_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 12_000, 15_000, 15_000];

export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const wait: Wait = async (milliseconds, signal) => {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new CheckFailure('interrupted', { cause });
  }
};

export const trackRetries = (pause: Wait) => {
  let count = 0;
  /** Sends a request until its function runs; returns the last answer if it never does. */
  const repeat = async (
    attempt: () => Promise<Answer>,
    isRefused: (answer: Answer) => boolean,
    interrupted?: AbortSignal,
  ): Promise<Answer> => {
    let answer = await attempt();
    if (isRefused(answer)) count += 1;
    for (const delay of RETRY_DELAYS_MS) {
      if (!isRefused(answer)) break;
      await pause(delay, interrupted);
      answer = await attempt();
    }
    return answer;
  };
  return {
    repeat,
    /** How many requests were sent more than once. */
    count: () => count,
  };
};
