import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { ClientConfig } from '../emulators/start.ts';
import type { OnError } from '../errors.ts';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import { type QueueEventSource, queueEvent, succeeded } from './event-sources.ts';

/** The longest that SQS allows; an idle queue costs next to nothing. Closing ends a waiting poll. */
const WAIT_SECONDS = 20;
const PAUSE_AFTER_ERROR_MILLISECONDS = 500;
/** The delay before a throttled batch is retried doubles up to the longest. */
const FIRST_THROTTLE_DELAY = 1_000;
const LONGEST_THROTTLE_DELAY = 30_000;

export type MessageLog = {
  readonly functionId: string;
  readonly body: string;
  /** Failed and throttled messages are received again or moved to the dead-letter queue; loops are moved at once. */
  readonly outcome: 'done' | 'failed' | 'throttled' | 'stopped as a loop';
  readonly milliseconds: number;
};

export type PollerSettings = {
  readonly onMessage?: (log: MessageLog) => void;
  readonly onError?: OnError;
};

type PollerOptions = PollerSettings & {
  readonly source: QueueEventSource;
  readonly functions: Pick<FunctionHost, 'invoke' | 'stopsLoop'>;
  readonly config: ClientConfig;
  /** For calls that Lambda makes as itself. */
  readonly lambdaConfig: ClientConfig;
};

/** Delivers a queue's messages to its function. Like Lambda, polls with the function's permissions. */
export class QueuePoller {
  readonly #source: QueueEventSource;
  readonly #options: PollerOptions;
  readonly #client: SQSClient;
  readonly #lambdaClient: SQSClient;
  readonly #running = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  readonly #stop = new AbortController();

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#client = new SQSClient(options.config);
    this.#lambdaClient = new SQSClient(options.lambdaConfig);
    this.#loop = this.#poll();
  }

  /** Stops receiving; running batches continue. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.allSettled([...this.#running]);
    this.#client.destroy();
    this.#lambdaClient.destroy();
  }

  async #poll(): Promise<void> {
    while (!this.#stopping) {
      while (this.#running.size >= this.#source.maximumConcurrency) await Promise.race(this.#running);
      if (this.#stopping) return;
      try {
        const messages = await this.#receive();
        if (messages.length > 0) this.#start(messages);
      } catch (error) {
        this.#reportError(error);
        await this.#pause(PAUSE_AFTER_ERROR_MILLISECONDS);
      }
    }
  }

  async #receive(): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#source.queueUrl,
      MaxNumberOfMessages: this.#source.batchSize,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    try {
      return (await this.#client.send(command, { abortSignal: this.#stop.signal })).Messages ?? [];
    } catch (error) {
      // The queue gives no message to a poll that was ended.
      if (this.#stopping) return [];
      throw error;
    }
  }

  /** While stopping, connections break on purpose. */
  #reportError(error: unknown): void {
    if (!this.#stopping) this.#options.onError?.(`queue of ${this.#source.functionId}`, error);
  }

  #start(messages: readonly Message[]): void {
    const running = this.#process(messages)
      .catch((error: unknown) => this.#reportError(error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #process(received: readonly Message[]): Promise<void> {
    // Afterwards the messages are visible to other pollers.
    const until = Date.now() + this.#source.visibilitySeconds * 1000;
    const messages = await this.#withoutLoops(received);
    if (messages.length === 0) return;
    const { queueArn, reportsItemFailures } = this.#source;
    const { config } = this.#options;
    const started = Date.now();
    const event = queueEvent(messages, { queueArn, region: config.region });
    const cause = messages.flatMap(({ Attributes }) => Attributes?.AWSTraceHeader ?? []);
    const result = await this.#invoke(JSON.stringify(event), cause, until);
    const answered = result.type === 'response' ? messages : [];
    const done =
      result.type === 'response' && reportsItemFailures ? succeeded(messages, result.payload) : answered;
    const milliseconds = Date.now() - started;
    const failure = result.type === 'throttled' ? 'throttled' : 'failed';
    for (const message of messages) {
      this.#report(message, done.includes(message) ? 'done' : failure, milliseconds);
    }
    await this.#delete(done);
  }

  /** Like Lambda, retries a throttled batch until its messages become visible again. */
  async #invoke(payload: string, cause: readonly string[], until: number): Promise<InvocationResult> {
    let delay = FIRST_THROTTLE_DELAY;
    for (;;) {
      const result = await this.#options.functions.invoke(this.#source.functionId, payload, cause);
      if (result.type !== 'throttled' || this.#stopping || Date.now() + delay >= until) return result;
      await this.#pause(delay);
      delay = Math.min(delay * 2, LONGEST_THROTTLE_DELAY);
    }
  }

  /** Ends early when the poller stops. */
  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Removes messages that have reached the function too often in one chain of requests. */
  async #withoutLoops(received: readonly Message[]): Promise<readonly Message[]> {
    const { functionId, deadLetterUrl } = this.#source;
    const { functions } = this.#options;
    const loops = received.filter(({ Attributes }) =>
      functions.stopsLoop(functionId, Attributes?.AWSTraceHeader),
    );
    await moveToDeadLetters(this.#lambdaClient, deadLetterUrl, loops);
    await this.#delete(loops);
    for (const message of loops) this.#report(message, 'stopped as a loop', 0);
    return received.filter((message) => !loops.includes(message));
  }

  #report({ Body = '' }: Message, outcome: MessageLog['outcome'], milliseconds: number): void {
    const { functionId } = this.#source;
    this.#options.onMessage?.({ functionId, body: Body, outcome, milliseconds });
  }

  async #delete(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: this.#source.queueUrl, Entries }));
  }
}

/** Moves undeliverable messages to the dead-letter queue; without one they are lost, as on AWS. */
const moveToDeadLetters = async (
  client: SQSClient,
  deadLetterUrl: string | undefined,
  messages: readonly Message[],
): Promise<void> => {
  if (deadLetterUrl === undefined) return;
  for (const { Body, Attributes } of messages) {
    const trace = Attributes?.AWSTraceHeader;
    await client.send(
      new SendMessageCommand({
        QueueUrl: deadLetterUrl,
        MessageBody: Body,
        ...(trace !== undefined && {
          MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: trace } },
        }),
      }),
    );
  }
};
