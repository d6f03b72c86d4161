import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../../platform/domain/ports.ts';
import { isLoopbackAddress, isPublicAddress } from '../domain/public-address.ts';
import { QUICK_ANSWER } from '../domain/webhook-delivery.ts';
import type { WebhookSender } from '../domain/webhook-ports.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import { checkWebhookUrl, hostOf, isLoopbackHost, type WebhookUrlRules } from '../domain/webhook-url.ts';
import type { DeliveryAttempt, WebhookEvent } from '../domain/webhooks.ts';
import { guardedPost } from './guarded-post.ts';

const USER_AGENT = 'media-generation-webhooks/1.0';
export const WEBHOOK_TIMEOUT_MILLISECONDS = 10_000;

export type WebhookSenderOptions = WebhookUrlRules & {
  readonly now: Clock;
  readonly timeoutMs?: number;
  /** When an answer counts as slow. */
  readonly quickMs?: number;
  /** All addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  readonly isPublic?: (address: string) => boolean;
};

type Outcome = Pick<DeliveryAttempt, 'statusCode' | 'answer' | 'error'>;

const failure = (error: string): Outcome => ({ statusCode: undefined, answer: undefined, error });

const REFUSED_CERTIFICATE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_/;

/** What the code of a failed connection means. */
const REASONS: readonly (readonly [code: RegExp, sentence: string])[] = [
  [REFUSED_CERTIFICATE, 'The certificate is not valid.'],
  [/^(?:EPROTO$|ERR_SSL_)/, 'No secure connection could be made.'],
  [/^ECONNREFUSED$/, 'The connection was refused.'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'The address cannot be reached.'],
  [/^HPE_/, 'The answer is not valid HTTP.'],
];

const reasonOf = (error: unknown): string => {
  const code = String(error instanceof Error ? Reflect.get(error, 'code') : undefined);
  const [, sentence] = REASONS.find(([known]) => known.test(code)) ?? [];
  return sentence ?? 'The connection was closed without an answer.';
};

/** What is done by the time of the signal; the rest of it is left alone. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Text of strangers, which may end up in a log or a terminal; a character that was cut is left out. */
const harmless = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

const bodyOf = ({ id, type, createdAt, taskId }: WebhookEvent): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created_at: Math.floor(createdAt / 1000),
    data: { id: taskId },
  });

/**
 * Posts events to addresses that anyone on the internet could reach, and to no other: a name is resolved once, all of
 * its addresses are checked, and the connection goes to those that were.
 */
export const webhookSender = ({
  allowLoopbackHttp,
  now,
  timeoutMs = WEBHOOK_TIMEOUT_MILLISECONDS,
  quickMs = QUICK_ANSWER,
  resolve = (name) => lookup(name, { all: true }),
  isPublic = isPublicAddress,
}: WebhookSenderOptions): WebhookSender => {
  const addressesOf = async (host: string): Promise<readonly LookupAddress[]> => {
    const family = isIP(host);
    return family === 0 ? resolve(host) : [{ address: host, family }];
  };

  const attempt = async (
    endpoint: Parameters<WebhookSender['send']>[0],
    event: WebhookEvent,
    given?: AbortSignal,
  ): Promise<Outcome> => {
    const { url, problem } = checkWebhookUrl(endpoint.url, { allowLoopbackHttp });
    if (problem !== undefined) return failure(`The url ${problem}`);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
    const late = failure(`No answer within ${timeoutMs / 1000} seconds.`);
    const host = hostOf(url);
    let addresses: readonly LookupAddress[];
    try {
      addresses = await before(signal, addressesOf(host));
    } catch {
      return signal.aborted ? late : failure('The name could not be resolved.');
    }
    if (addresses.length === 0) return failure('The name could not be resolved.');
    const isAllowed = allowLoopbackHttp && isLoopbackHost(host) ? isLoopbackAddress : isPublic;
    if (!addresses.every(({ address }) => isAllowed(address))) return failure('The address is not public.');
    const body = bodyOf(event);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders(endpoint, { id: event.id, body }, now()),
    };
    try {
      const { statusCode, start } = await guardedPost({ url, addresses, headers, body, signal });
      return { statusCode, answer: harmless(start), error: undefined };
    } catch (error) {
      return signal.aborted ? late : failure(reasonOf(error));
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
      const breakOff = new AbortController();
      let asked = Promise.resolve();
      const ask = async (): Promise<void> => {
        if (!(await mayWait())) breakOff.abort();
      };
      const timer = setTimeout(() => {
        asked = ask();
        // Thrown below, once the request is gone.
        asked.catch(() => breakOff.abort());
      }, quickMs);
      const outcome = await attempt(endpoint, event, breakOff.signal);
      const durationMs = now() - at;
      clearTimeout(timer);
      await asked;
      // An answer that came while it was asked for is as good as any.
      if (breakOff.signal.aborted && outcome.statusCode === undefined) return undefined;
      return { at, durationMs, ...outcome };
    },
  };
};
