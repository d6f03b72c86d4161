import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { OnFault } from '../fault.ts';
import type { FunctionHost } from '../functions/function-host.ts';
import type { ClientConfig } from '../provision/client-config.ts';
import type { QueueEventSource } from './event-sources.ts';
import { queueEvent, succeeded } from './queue-event.ts';

/** Short, so that a poll that is under way at the end can be waited for instead of losing a message. */
const WAIT_SECONDS = 1;
const RECEIVE_LIMIT = 10;
const PAUSE_AFTER_ERROR_MILLISECONDS = 500;

export interface MessageLog {
  readonly functionId: string;
  readonly body: string;
  /** A failed message comes again, or goes to the dead-letter queue. */
  readonly outcome: 'done' | 'failed';
  readonly milliseconds: number;
}

export interface PollerOptions {
  readonly source: QueueEventSource;
  readonly functions: Pick<FunctionHost, 'invoke'>;
  readonly config: ClientConfig;
  readonly onMessage?: ((log: MessageLog) => void) | undefined;
  readonly onFault?: OnFault | undefined;
}

/** Brings a queue's messages to its function; polls with the function's own rights, as Lambda does. */
export class QueuePoller {
  readonly #source: QueueEventSource;
  readonly #options: PollerOptions;
  readonly #client: SQSClient;
  readonly #running = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  #stopping = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#client = new SQSClient(options.config);
    this.#loop = this.#poll();
  }

  /** Takes no further messages; those under way go on. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop;
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.allSettled([...this.#running]);
    this.#client.destroy();
  }

  async #poll(): Promise<void> {
    while (!this.#stopping) {
      while (this.#running.size >= this.#source.maximumConcurrency) await Promise.race(this.#running);
      if (this.#stopping) return;
      try {
        const messages = await this.#receiveBatch();
        if (messages.length > 0) this.#start(messages);
      } catch (error) {
        this.#fault(error);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_ERROR_MILLISECONDS));
      }
    }
  }

  async #receiveBatch(): Promise<readonly Message[]> {
    const { batchSize, batchingWindowSeconds } = this.#source;
    const messages = await this.#receive(Math.min(batchSize, RECEIVE_LIMIT), WAIT_SECONDS);
    const closesAt = Date.now() + batchingWindowSeconds * 1000;
    while (messages.length > 0 && messages.length < batchSize && Date.now() < closesAt && !this.#stopping) {
      messages.push(
        ...(await this.#receive(Math.min(batchSize - messages.length, RECEIVE_LIMIT), WAIT_SECONDS)),
      );
    }
    return messages;
  }

  async #receive(MaxNumberOfMessages: number, WaitTimeSeconds: number): Promise<Message[]> {
    const { Messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#source.queueUrl,
        MaxNumberOfMessages,
        WaitTimeSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  /** At the end, connections break on purpose. */
  #fault(error: unknown): void {
    if (!this.#stopping) this.#options.onFault?.(`queue of ${this.#source.functionId}`, error);
  }

  #start(messages: readonly Message[]): void {
    const running = this.#process(messages)
      .catch((error: unknown) => this.#fault(error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #process(messages: readonly Message[]): Promise<void> {
    const { functionId, queueArn, reportsItemFailures } = this.#source;
    const { functions, config } = this.#options;
    const started = Date.now();
    const event = queueEvent(messages, { queueArn, region: config.region });
    const result = await functions.invoke(functionId, JSON.stringify(event));
    const answered = result.type === 'response' ? messages : [];
    const done =
      result.type === 'response' && reportsItemFailures ? succeeded(messages, result.payload) : answered;
    this.#report(messages, done, Date.now() - started);
    await this.#delete(done);
  }

  #report(messages: readonly Message[], done: readonly Message[], milliseconds: number): void {
    const { functionId } = this.#source;
    for (const message of messages) {
      const outcome = done.includes(message) ? 'done' : 'failed';
      this.#options.onMessage?.({ functionId, body: message.Body ?? '', outcome, milliseconds });
    }
  }

  async #delete(messages: readonly Message[]): Promise<void> {
    for (let first = 0; first < messages.length; first += RECEIVE_LIMIT) {
      const Entries = messages
        .slice(first, first + RECEIVE_LIMIT)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: this.#source.queueUrl, Entries }));
    }
  }
}
