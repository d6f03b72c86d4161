import { randomUUID } from 'node:crypto';
import type { Dialect, Reply } from './service.ts';
import { element } from './xml.ts';

export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** What a JSON error carries besides its message. */
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
