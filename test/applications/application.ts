/**
 * Sends the requests of an application, with its base URL and key set as a user would set them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { openOwnService } from '../support/open-service.ts';
import type { Service } from '../support/service.ts';

export type Reply = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };
type RequestHeaders = Readonly<Record<string, string>>;

/** A multipart form, with its parts in the order in which the application adds them. */
export const form = (parts: readonly (readonly [name: string, value: string | File])[]): FormData => {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
};

const encode = (body: unknown): RequestInit => {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
};

/** Follows redirects, as all applications do. */
const send = async (method: string, url: string, headers: RequestHeaders, body?: unknown): Promise<Reply> => {
  const encoded = encode(body);
  const response = await fetch(url, {
    ...encoded,
    method,
    headers: { ...Object.fromEntries(new Headers(encoded.headers)), ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};

/** A download without a key. */
export const download = (url: string, headers: RequestHeaders = {}): Promise<Reply> =>
  send('GET', url, headers);

const errorBody = z.object({ error: z.object({ message: z.string() }) });
const chargeList = z.object({ data: z.array(z.unknown()), has_more: z.literal(false) });

/** Docs and tests of applications assume this setting, because most of them send chores. */
let service: Promise<Service> | undefined;
const openService = (): Promise<Service> => {
  service ??= openOwnService({
    own: {
      config: { chatChores: 'refuse', defaultModel: { image: 'image-3.1-flash-image-preview' } },
    },
  });
  return service;
};

/** An account of its own on the service of all applications. */
export const openApplication = async () => {
  const { baseUrl, operator, outputs } = await openService();
  const store = { clientConfig: operator, outputs };
  const account = `application-${randomUUID()}`;
  const apiKey = await issueApiKey(store, { account, name: 'application' });
  const adminKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });

  /** The address that a user enters in the settings, and the headers of all requests. */
  const provider = (path: string, headers: RequestHeaders) => ({
    post: (address: string, body?: unknown, more: RequestHeaders = {}) =>
      send('POST', `${baseUrl}${path}${address}`, { ...headers, ...more }, body),
    get: (address: string, more: RequestHeaders = {}) =>
      send('GET', `${baseUrl}${path}${address}`, { ...headers, ...more }),
  });

  const countCharges = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const { bytes } = await send('GET', `${baseUrl}/v1/organization/charges?limit=100`, headers);
    return chargeList.parse(JSON.parse(bytes.toString())).data.length;
  };

  return {
    baseUrl,
    apiKey,
    provider,
    /** An OpenAI provider; most base URLs end in `/v1`. */
    openAi: (path: string) => provider(path, { authorization: `Bearer ${apiKey}` }),
    /** A Google provider; most base URLs end before `/v1beta`. */
    google: (path: string) => provider(path, { 'x-goog-api-key': apiKey }),
    countCharges,
    /** The message says how to change the request or the settings, and nothing is charged. */
    refuses: async (request: () => Promise<Reply>, advice: RegExp, status = 400): Promise<void> => {
      const before = await countCharges();
      const reply = await request();
      assert.equal(reply.status, status, reply.bytes.toString().slice(0, 500));
      assert.match(errorBody.parse(JSON.parse(reply.bytes.toString())).error.message, advice);
      assert.equal(await countCharges(), before);
    },
  };
};

export type Application = Awaited<ReturnType<typeof openApplication>>;
export type Provider = ReturnType<Application['provider']>;
