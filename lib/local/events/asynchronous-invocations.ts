import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const configSchema = z.object({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST', 'the local cloud supports scheduled functions only without an alias'),
  MaximumEventAgeInSeconds: z.number().min(60).max(21_600).default(21_600),
  MaximumRetryAttempts: z.literal(0, 'the local cloud does not run failed events again'),
  DestinationConfig: z.undefined('the local cloud does not support destinations').optional(),
});

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 300_000;

/** For how many seconds an event of each function is tried, by logical id. */
export const readEventAges = (stack: Stack): ReadonlyMap<string, number> => {
  const configs = stack
    .resources(SUPPORTED_TYPES.eventInvokeConfig)
    .map((resource) => stack.properties(resource, configSchema));
  return new Map(
    stack.resources(SUPPORTED_TYPES.function).flatMap(({ logicalId }) => {
      const { ref, attributes } = stack.identity(logicalId);
      const config = configs.find(({ FunctionName }) => [ref, attributes.Arn].includes(FunctionName));
      return config === undefined ? [] : [[logicalId, config.MaximumEventAgeInSeconds] as const];
    }),
  );
};

type Options = {
  readonly functions: Pick<FunctionHost, 'invoke'>;
  readonly eventAges: ReadonlyMap<string, number>;
  readonly now?: () => number;
  /** Rejects when aborted. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

const waitForTimer = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal, ref: false });

/** Lambda's internal queue for asynchronous invocations, which retries throttled events. */
export class AsynchronousInvocations {
  readonly #options: Options;
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves with the first result other than throttling, or when the event is too old or the cloud closes. */
  async invoke(functionId: string, payload: string): Promise<InvocationResult> {
    const { functions, eventAges, now = Date.now, wait = waitForTimer } = this.#options;
    const { signal } = this.#closing;
    const until = now() + (eventAges.get(functionId) ?? 0) * 1000;
    for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 2, LONGEST_DELAY)) {
      const result = await functions.invoke(functionId, payload);
      if (result.type !== 'throttled' || signal.aborted || now() + delay > until) return result;
      try {
        await wait(delay, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return result;
      }
    }
  }

  close(): void {
    this.#closing.abort();
  }
}
