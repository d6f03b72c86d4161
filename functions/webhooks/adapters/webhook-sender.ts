import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '../../platform/domain/log-events.ts';
import { LOCAL_ENVIRONMENT, readEnvironment } from '../../platform/runtime/environment.ts';
import { QUICK_ANSWER, type WebhookSender } from '../domain/webhook-delivery.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import {
  checkWebhookUrl,
  hostOf,
  isLoopbackAddress,
  isLoopbackHost,
  isPublicAddress,
  type WebhookUrlRules,
} from '../domain/webhook-url.ts';
import type { DeliveryAttempt, WebhookEvent } from '../domain/webhooks.ts';

const MOST_BYTES = 1024;
/** The status says what the receiver made of it; what follows is only for people to read. */
const BODY_MILLISECONDS = 2000;
/** An address that does not take a connection by then is left for the next one of the same name. */
const NEXT_ADDRESS_MILLISECONDS = 2000;

export type PostOptions = {
  readonly url: URL;
  /** Where to connect, whatever the name of the URL leads to by now. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

export type PostAnswer = { readonly statusCode: number; readonly start: Uint8Array };

/** Keeps no connection, asks no proxy, and insists on the certificate whatever the environment says. */
const agentOf = ({ url, addresses }: PostOptions): HttpAgent => {
  const options = {
    keepAlive: false,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MILLISECONDS,
    lookup: (_name, _options, callback) => callback(null, [...addresses]),
  } satisfies AgentOptions;
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
};

const openRequest = (options: PostOptions): ClientRequest => {
  const { url, headers, body, signal } = options;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal,
    agent: agentOf(options),
  });
};

/** The first KB, or what of it came before the answer broke off or was too slow. */
const readStart = (response: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).subarray(0, MOST_BYTES));
    };
    const timer = setTimeout(finish, BODY_MILLISECONDS);
    response.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_BYTES) finish();
    });
    response.once('end', finish);
    response.once('close', finish);
    // The status is known by then, so that a broken body is no failure.
    response.once('error', finish);
  });

/** Sends it once; the connection is gone when this is done. */
export const guardedPost = async (options: PostOptions): Promise<PostAnswer> => {
  const request = openRequest(options);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // A request that was aborted may emit more than one.
      request.on('error', reject);
      request.once('close', () => reject(new Error('The connection was closed without an answer.')));
      request.end(options.body);
    });
    return { statusCode: response.statusCode ?? 0, start: await readStart(response) };
  } finally {
    request.destroy();
  }
};

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

/** Which addresses an endpoint may have where this function runs. */
export const webhookUrlRules = (): WebhookUrlRules => ({
  allowLoopbackHttp: readEnvironment(LOCAL_ENVIRONMENT).WEBHOOK_LOOPBACK === 'true',
});

export const webhookSenderHere = (): WebhookSender => webhookSender({ ...webhookUrlRules(), now: Date.now });
