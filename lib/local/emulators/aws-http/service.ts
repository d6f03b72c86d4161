import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { endIfStorageFailed } from '../../errors.ts';
import type { StackResources } from '../messages.ts';

export type AwsRequest = {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
};

/** An IAM action and the ARN of its resource. */
export type AccessedResource = { readonly action: string; readonly resource: string };

export type Answer = { readonly reply: Reply; readonly accessed: readonly AccessedResource[] };

export type Dialect = 'json' | 'xml';

export type SignedRequest = AwsRequest & { readonly principal: string };

/** CORS responses, which need no signature. */
export type CrossOrigin = {
  preflight(request: AwsRequest): Reply;
  /** Added to the response to any other request, including errors. */
  headers(request: AwsRequest): Readonly<Record<string, string>>;
};

/** A buffered service receives only complete bodies. */
export type Service = {
  readonly dialect: Dialect;
  readonly crossOrigin?: CrossOrigin;
  /** Creates and updates resources, and deletes those that an earlier call named. */
  provision?(resources: StackResources): void | Promise<void>;
  close(): Promise<void>;
} & (
  | { readonly kind: 'buffered'; answer(request: SignedRequest, payload: Buffer): Promise<Answer> }
  | { readonly kind: 'streamed'; answer(request: SignedRequest, body: Readable): Promise<Answer> }
);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

// Object keys may contain control characters, which XML requires to be escaped.
const ESCAPED = /[&<>"'\p{Cc}]/gu;
const NAMES = new Map(Object.entries(ENTITIES).map(([name, character]) => [character, name]));

const escapeXml = (text: string): string =>
  text.replace(ESCAPED, (character) => `&${NAMES.get(character) ?? `#${character.charCodeAt(0)}`};`);

const decodeReference = (reference: string): string => {
  if (reference.startsWith('#x')) return String.fromCodePoint(Number.parseInt(reference.slice(2), 16));
  if (reference.startsWith('#')) return String.fromCodePoint(Number(reference.slice(1)));
  return ENTITIES[reference] ?? '';
};

const unescapeXml = (text: string): string =>
  text.replace(/&(#x[0-9a-fA-F]{1,5}|#[0-9]{1,6}|amp|lt|gt|quot|apos);/g, (_, reference) =>
    decodeReference(String(reference)),
  );

export const element = (name: string, value: string | number | boolean): string =>
  `<${name}>${escapeXml(String(value))}</${name}>`;

/** The inner XML of all elements with this name; sufficient for the flat requests of clients. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner]) => inner ?? '',
  );

export const elementText = (xml: string, name: string): string | undefined =>
  elements(xml, name).map(unescapeXml)[0];

export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of the error. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, members = {} }: Partial<Pick<AwsError, 'headers' | 'members'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.members = members;
  }
}

const jsonReply = ({ status, code, message, headers, members }: AwsError): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID(), ...headers },
  body: JSON.stringify({ ...members, __type: code, message }),
});

const xmlReply = ({ status, code, message, headers, members }: AwsError): Reply => {
  const requestId = randomUUID();
  const fields = { Code: code, Message: message, ...members, RequestId: requestId };
  const children = Object.entries(fields).map(([name, value]) => element(name, String(value)));
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId, ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${children.join('')}</Error>`,
  };
};

export const errorReply = (dialect: Dialect, error: AwsError): Reply =>
  dialect === 'json' ? jsonReply(error) : xmlReply(error);

/** Clients that have gone cause errors that nobody needs to see. */
export const failureReply = (dialect: Dialect, error: unknown, { signal }: AwsRequest): Reply => {
  if (error instanceof AwsError) return errorReply(dialect, error);
  endIfStorageFailed(error);
  if (!signal.aborted) console.error(error);
  const code = dialect === 'json' ? 'InternalServerError' : 'InternalError';
  return errorReply(dialect, new AwsError(500, code, 'The emulator failed.'));
};

export type JsonOperation = (input: unknown, request: AwsRequest) => unknown;

type JsonServiceOptions = {
  /** The part of X-Amz-Target before the dot. */
  readonly target: string;
  readonly operations: ReadonlyMap<string, JsonOperation>;
  accessedBy(operation: string, input: unknown): readonly AccessedResource[];
  close(): Promise<void>;
};

const operationName = ({ headers }: AwsRequest, target: string): string => {
  const [prefix, name] = (headers['x-amz-target'] ?? '').split('.');
  return prefix === target && name ? name : '';
};

const parseInput = (payload: Buffer): unknown => {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    throw new AwsError(400, 'SerializationException', 'The body is not JSON.');
  }
};

const jsonSuccess = (output: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify(output ?? {}),
});

/** An input that does not fit the schema of its operation is an error of the client. */
const explainInvalid = (error: unknown): unknown =>
  error instanceof z.ZodError ? new AwsError(400, 'ValidationException', z.prettifyError(error)) : error;

export const jsonService = ({ target, operations, accessedBy, close }: JsonServiceOptions): Service => ({
  kind: 'buffered',
  dialect: 'json',
  close,
  async answer(request, payload) {
    const name = operationName(request, target);
    const operation = operations.get(name);
    let accessed: readonly AccessedResource[] = [];
    try {
      if (operation === undefined)
        throw new AwsError(400, 'UnknownOperationException', `Unknown operation: ${name}`);
      const input = parseInput(payload);
      accessed = accessedBy(name, input);
      return { reply: jsonSuccess(await operation(input, request)), accessed };
    } catch (error) {
      return { reply: failureReply('json', explainInvalid(error), request), accessed };
    }
  },
});
