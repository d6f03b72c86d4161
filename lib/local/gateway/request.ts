import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 10 * 1024 * 1024;
/** Beyond this, a client that is already refused is cut off. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

/** A client's request as it stands on the wire. */
export type GatewayRequest = {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** With the stage, without the query, not decoded. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** Names as the client wrote them, in its order. */
  readonly headerList: readonly (readonly [name: string, value: string])[];
  readonly sourceIp: string;
  readonly protocol: string;
};

export const readRequest = (message: IncomingMessage): GatewayRequest => {
  const [rawPath = '/', ...query] = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/, '').split('?');
  const { rawHeaders } = message;
  const headerList = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return {
    requestId: randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
    receivedAt: new Date(),
    method: message.method ?? 'GET',
    rawPath,
    query: new URLSearchParams(query.join('?')),
    headerList,
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
    protocol: `HTTP/${message.httpVersion}`,
  };
};

export const headerValue = (
  { headerList }: Pick<GatewayRequest, 'headerList'>,
  name: string,
): string | undefined => headerList.findLast(([candidate]) => candidate.toLowerCase() === name)?.[1];

/** The whole body, or `too-large` as soon as that is known. */
export const readBody = async (message: IncomingMessage): Promise<Buffer | 'too-large'> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | 'too-large'>();
  const chunks: Buffer[] = [];
  let received = 0;
  if (Number(message.headers['content-length'] ?? 0) > BODY_LIMIT) resolve('too-large');
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= BODY_LIMIT) chunks.push(chunk);
    else resolve('too-large');
    if (received > DISCARD_LIMIT) message.destroy();
  });
  message.on('end', () => resolve(Buffer.concat(chunks)));
  message.on('error', reject);
  message.on('close', () => reject(new Error('The client left before its request was whole.')));
  return promise;
};
