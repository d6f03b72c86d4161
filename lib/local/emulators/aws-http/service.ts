import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { element } from './xml.ts';

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
export type Service = { readonly dialect: Dialect; close(): Promise<void> } & (
  | { readonly kind: 'buffered'; answer(request: SignedRequest, payload: Buffer): Promise<Answer> }
  | {
      readonly kind: 'streamed';
      readonly crossOrigin?: CrossOrigin;
      answer(request: SignedRequest, body: Readable): Promise<Answer>;
    }
);

export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of a JSON error. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    {
      details = {},
      headers = {},
      members = {},
    }: {
      details?: Record<string, string>;
      headers?: Record<string, string>;
      members?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.members = members;
  }
}

const jsonReply = ({ status, code, message, headers, members }: AwsError): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID(), ...headers },
  body: JSON.stringify({ ...members, __type: code, message }),
});

const xmlReply = ({ status, code, message, details, headers }: AwsError): Reply => {
  const requestId = randomUUID();
  const fields = { Code: code, Message: message, ...details, RequestId: requestId };
  const children = Object.entries(fields).map(([name, value]) => element(name, value));
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId, ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${children.join('')}</Error>`,
  };
};

export const errorReply = (dialect: Dialect, error: AwsError): Reply =>
  dialect === 'json' ? jsonReply(error) : xmlReply(error);
