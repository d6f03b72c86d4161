import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from './operations.ts';
import type { PictureStore } from './pictures.ts';
import { type Faults, faultError, type UpstreamLimits } from './refusals.ts';
import type { RenderCache } from './studio.ts';
import type { Place, TestPrompts } from './test-prompts.ts';

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly groups: Readonly<Record<string, string | undefined>>;
  /** Adds the parsed body to the record of the request, if bodies are recorded. */
  readonly recordBody: (body: unknown) => void;
  /** The upstream that answers. */
  readonly generator: Generator;
};

/** The client has gone, or a test prompt asks for no response. */
export class Abandoned extends Error {}

/** One upstream, with the renderer that it may share with others. */
export type Generator = {
  /** Test prompts can be limited to the upstream of this name. */
  readonly name: string;
  readonly pictures: PictureStore;
  readonly renderCache: RenderCache;
  readonly operations: Operations;
  readonly faults: Faults;
  readonly retryDelaySeconds: number;
  readonly limits: UpstreamLimits;
  /** URLs of this server and of its foreign host; known once they listen. */
  readonly addresses: () => { readonly own: string; readonly foreign: string };
};

export type Handler = (exchange: Exchange) => Promise<void>;

export const readBearer = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

export const readQuery = ({ url = '/' }: IncomingMessage): URLSearchParams =>
  new URL(url, 'http://sample').searchParams;

export const sendJson = (
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) => {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
};

/** Waits until the time is over; throws if the client leaves first. */
export const pause = async ({ response }: Exchange, seconds: number | undefined) => {
  if (seconds === undefined) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    await sleep(seconds * 1000, undefined, { signal: gone.signal });
  } catch {
    throw new Abandoned();
  } finally {
    response.off('close', leave);
  }
};

const hang = async ({ response }: Exchange): Promise<never> => {
  if (!response.destroyed) await once(response, 'close');
  throw new Abandoned();
};

const reset = ({ request }: Exchange): never => {
  request.socket.resetAndDestroy();
  throw new Abandoned();
};

/** Fails the exchange if a test prompt asks for it. */
export const injectFault = async (
  exchange: Exchange,
  place: Place,
  subject: string,
  testPrompts: TestPrompts,
) => {
  const { faults, retryDelaySeconds } = exchange.generator;
  const fault = faults.next(place, subject, testPrompts);
  if (fault === undefined) return;
  if (fault.kind === 'reset') reset(exchange);
  if (fault.kind === 'hang') await hang(exchange);
  throw faultError(fault, retryDelaySeconds);
};

/** Counts a valid create request, and injects the faults that its test prompts ask for. */
export const admitRequest = async (
  exchange: Exchange,
  { model, testPrompts }: { readonly model: string; readonly testPrompts: TestPrompts },
  digest: string,
): Promise<void> => {
  exchange.generator.limits.admit(model);
  await pause(exchange, testPrompts.slowStartSeconds);
  await injectFault(exchange, 'create', `${model} ${digest}`, testPrompts);
};
