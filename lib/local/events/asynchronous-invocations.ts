import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const configSchema = z.object({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST', 'the local cloud supports scheduled functions only without an alias'),
  MaximumEventAgeInSeconds: z.number().min(60).max(21_600).default(21_600),
  MaximumRetryAttempts: z.number().min(0).max(2).default(2),
  DestinationConfig: z.undefined('the local cloud does not support destinations').optional(),
});

type RetryPolicy = Pick<z.infer<typeof configSchema>, 'MaximumEventAgeInSeconds' | 'MaximumRetryAttempts'>;

const DEFAULT_POLICY: RetryPolicy = { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 2 };

/** Delays before the second and third attempts after a function error. */
const ERROR_DELAYS = [60_000, 120_000] as const;
const FIRST_THROTTLE_DELAY = 1_000;
const LONGEST_THROTTLE_DELAY = 300_000;

/** The retry policy of each function for asynchronous invocations, by logical id. */
export const readRetryPolicies = (stack: Stack): ReadonlyMap<string, RetryPolicy> => {
  const configs = stack
    .resources(SUPPORTED_TYPES.eventInvokeConfig)
    .map((resource) => stack.properties(resource, configSchema));
  return new Map(
    stack.resources(SUPPORTED_TYPES.function).flatMap(({ logicalId }) => {
      const { ref, attributes } = stack.identity(logicalId);
      const config = configs.find(({ FunctionName }) => [ref, attributes.Arn].includes(FunctionName));
      return config === undefined ? [] : [[logicalId, config] as const];
    }),
  );
};

type Options = {
  readonly functions: Pick<FunctionHost, 'invoke'>;
  readonly policies: ReadonlyMap<string, RetryPolicy>;
  readonly now?: () => number;
  /** Rejects when aborted. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

const waitForTimer = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal, ref: false });

/** Lambda's internal queue for asynchronous invocations, which retries throttled and failed events. */
export class AsynchronousInvocations {
  readonly #options: Options;
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves with the first result other than throttling; failed events are retried in the background. */
  async invoke(functionId: string, payload: string): Promise<InvocationResult> {
    const { now = Date.now } = this.#options;
    const policy = this.#options.policies.get(functionId) ?? DEFAULT_POLICY;
    const until = now() + policy.MaximumEventAgeInSeconds * 1000;
    const deliver = () => this.#deliver(functionId, payload, until);
    const result = await deliver();
    if (result.type === 'function-error') {
      const delays = ERROR_DELAYS.slice(0, policy.MaximumRetryAttempts);
      // Each attempt has its own record, and closing the cloud ends the retries.
      void this.#retry(deliver, delays, until).catch((error: unknown) => this.#ignoreClosing(error));
    }
    return result;
  }

  close(): void {
    this.#closing.abort();
  }

  async #deliver(functionId: string, payload: string, until: number): Promise<InvocationResult> {
    let delay = FIRST_THROTTLE_DELAY;
    for (;;) {
      const result = await this.#options.functions.invoke(functionId, payload);
      if (result.type !== 'throttled' || !(await this.#waited(delay, until))) return result;
      delay = Math.min(delay * 2, LONGEST_THROTTLE_DELAY);
    }
  }

  async #retry(
    deliver: () => Promise<InvocationResult>,
    delays: readonly number[],
    until: number,
  ): Promise<void> {
    for (const delay of delays) {
      if (!(await this.#waited(delay, until))) return;
      if ((await deliver()).type !== 'function-error') return;
    }
  }

  /** False if the event will be too old, or the cloud closes. */
  async #waited(delay: number, until: number): Promise<boolean> {
    const { now = Date.now, wait = waitForTimer } = this.#options;
    const { signal } = this.#closing;
    if (signal.aborted || now() + delay > until) return false;
    try {
      await wait(delay, signal);
    } catch (error) {
      this.#ignoreClosing(error);
      return false;
    }
    return true;
  }

  #ignoreClosing(error: unknown): void {
    if (!this.#closing.signal.aborted) throw error;
  }
}
