import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, Operations } from './operations.ts';
import type { PictureStore } from './pictures.ts';
import type { Place, TestPrompts } from './read-test-prompts.ts';
import { type Faults, faultError, type UpstreamLimits } from './refusals.ts';
import type { RenderCache } from './studio.ts';
import { invalid, shortened, UpstreamError } from './upstream-error.ts';
import type { Kind } from './video-request.ts';

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly groups: Readonly<Record<string, string | undefined>>;
};

/** The client has gone, or a test prompt asks for no response. */
export class Abandoned extends Error {}

/** The largest request that the service can be configured to send. */
const BODY_LIMIT = 100 * 1024 * 1024;

export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > BODY_LIMIT) throw invalid(`Request payload size exceeds the limit: ${BODY_LIMIT} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

export const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid('Invalid JSON payload received. Unexpected token.');
  }
};

export const sendJson = (response: ServerResponse, value: unknown, status = 200) => {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
};

const page = (code: number) =>
  `<!DOCTYPE html><html lang=en><title>Error ${code} (Server Error)</title><p><b>${code}.</b> The service is temporarily unavailable.</html>\n`;

/** Like the upstream's front end, sends an HTML page instead of JSON for 502 and 503. */
export const sendError = (response: ServerResponse, error: UpstreamError) => {
  if (error.code !== 502 && error.code !== 503) return sendJson(response, error.body(), error.code);
  response.writeHead(error.code, { 'content-type': 'text/html; charset=UTF-8' });
  response.end(page(error.code));
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

/** One upstream, with the renderer that it may share with others. */
export type Generator = {
  /** Test prompts can be limited to the upstream of this name. */
  readonly name: string;
  readonly kind: Kind;
  readonly pictures: PictureStore;
  readonly renderCache: RenderCache;
  readonly operations: Operations;
  readonly faults: Faults;
  readonly retryDelaySeconds: number;
  readonly limits: UpstreamLimits;
  readonly operationName: (operation: Operation) => string;
  /** Addresses of objects in Cloud Storage that were deleted. */
  readonly deletedObjects: Set<string>;
  /** URLs of this server and of its foreign host; known once they listen. */
  readonly addresses: () => { readonly own: string; readonly foreign: string };
};

export type Handler = (exchange: Exchange, generator: Generator) => Promise<void>;

/** Fails the exchange if a test prompt asks for it. */
export const injectFault = async (
  exchange: Exchange,
  { faults, retryDelaySeconds }: Generator,
  { place, subject, testPrompts }: { place: Place; subject: string; testPrompts: TestPrompts },
) => {
  const fault = faults.next(place, subject, testPrompts);
  if (fault === undefined) return;
  if (fault.kind === 'reset') reset(exchange);
  if (fault.kind === 'hang') await hang(exchange);
  throw faultError(fault, retryDelaySeconds);
};

/** Reads a create request and injects the faults that its test prompts ask for. */
export const acceptRequest = async <Spec extends { readonly testPrompts: TestPrompts }>(
  exchange: Exchange,
  generator: Generator,
  model: string,
  toSpec: (model: string, body: unknown, generator: Generator) => Promise<Spec>,
): Promise<Spec> => {
  const body = await readBody(exchange.request);
  const spec = await toSpec(model, parseJson(body), generator);
  generator.limits.admit(model);
  const subject = createHash('sha256').update(model).update(body).digest('hex');
  await pause(exchange, spec.testPrompts.slowStartSeconds);
  await injectFault(exchange, generator, { place: 'create', subject, testPrompts: spec.testPrompts });
  return spec;
};

// Every model of these families is accepted.
const FAMILIES = {
  video: (model: string) => /^(?:veo|video)-[\w.-]+$/.test(model),
  image: (model: string) => model.includes('image') && /^[\w.-]+$/.test(model),
} as const;

export const requireModel = (
  model: string | undefined,
  medium: keyof typeof FAMILIES,
  method: string,
): string => {
  if (model !== undefined && FAMILIES[medium](model)) return model;
  throw new UpstreamError(
    404,
    `models/${shortened(model ?? '')} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
};
