import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../platform/domain/log-events.ts';
import { publicUrlRules } from '../../platform/runtime/environment.ts';
import {
  describeFailure,
  type PublicNetwork,
  publicRequests,
} from '../../platform/runtime/public-request.ts';
import { QUICK_ANSWER } from '../domain/webhook-delivery.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import type { Receiver, WebhookSender } from '../domain/webhook-stores.ts';
import { checkWebhookUrl } from '../domain/webhook-url.ts';
import type { DeliveryAttempt, WebhookEvent } from '../domain/webhooks.ts';

const MOST_BYTES = 1024;
/** The status tells the result, so the body, which only people read, gets little time. */
const BODY_MILLISECONDS = 2000;
const USER_AGENT = 'media-generation-webhooks/1.0';
const TIMEOUT_MILLISECONDS = 10_000;

/** The first KB of the body, or as much of it as arrives in time. */
const readStart = async (response: IncomingMessage): Promise<Uint8Array> => {
  const timer = setTimeout(() => response.destroy(), BODY_MILLISECONDS);
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of response) {
      start = Buffer.concat([start, chunk]);
      if (start.length >= MOST_BYTES) break;
    }
  } catch {
    // The status is known, so a broken body is not a failure.
  }
  clearTimeout(timer);
  return start.subarray(0, MOST_BYTES);
};

export type WebhookSenderOptions = PublicNetwork & {
  readonly toObject: (event: WebhookEvent) => object;
  readonly now: Clock;
  readonly timeoutMs?: number;
  /** An answer that takes longer is slow. */
  readonly quickMs?: number;
};

type Outcome = Pick<DeliveryAttempt, 'statusCode' | 'answer' | 'error'>;

const failure = (error: string): Outcome => ({ error });

/** Removes control characters, because the text may reach a log or a terminal, and a character that was cut off. */
const toPlainText = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

/** Posts events to public addresses only. */
export const webhookSender = ({
  toObject,
  now,
  timeoutMs = TIMEOUT_MILLISECONDS,
  quickMs = QUICK_ANSWER,
  ...network
}: WebhookSenderOptions): WebhookSender => {
  const request = publicRequests(network);

  const attempt = async (endpoint: Receiver, event: WebhookEvent, given?: AbortSignal): Promise<Outcome> => {
    const { url, problem } = checkWebhookUrl(endpoint.url, network);
    if (problem !== undefined) return failure(`The url ${problem}`);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
    const body = JSON.stringify(toObject(event));
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders(
        'signers' in endpoint ? endpoint.signers : [endpoint],
        { id: event.id, body },
        now(),
      ),
    };
    try {
      return await request({ url, method: 'POST', headers, body, signal }, async (response) => ({
        statusCode: response.statusCode ?? 0,
        answer: toPlainText(await readStart(response)),
      }));
    } catch (error) {
      return failure(
        signal.aborted ? `No answer within ${timeoutMs / 1000} seconds.` : describeFailure(error),
      );
    }
  };

  return {
    send: async (endpoint, event) => {
      const at = now();
      const outcome = await attempt(endpoint, event);
      return { at, durationMs: now() - at, ...outcome };
    },

    sendUnlessSlow: async (endpoint, event, mayWait) => {
      const at = now();
      const aborter = new AbortController();
      let decision = Promise.resolve();
      const decide = async (): Promise<void> => {
        if (!(await mayWait())) aborter.abort();
      };
      const timer = setTimeout(() => {
        decision = decide();
        // The error is thrown below, after the request has ended.
        decision.catch(() => aborter.abort());
      }, quickMs);
      const outcome = await attempt(endpoint, event, aborter.signal);
      const durationMs = now() - at;
      clearTimeout(timer);
      await decision;
      // An answer that arrived during the decision counts.
      if (aborter.signal.aborted && outcome.statusCode === undefined) return undefined;
      return { at, durationMs, ...outcome };
    },
  };
};

export const createWebhookSender = (toObject: WebhookSenderOptions['toObject']): WebhookSender =>
  webhookSender({ ...publicUrlRules(), toObject, now: Date.now });
