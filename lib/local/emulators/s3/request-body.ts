import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { AwsError, type AwsRequest } from '../aws-http/service.ts';
import type { BucketCall } from './operation.ts';

const LONGEST_LINE = 8192;

const incomplete = (): AwsError =>
  new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');

/** Reads lines and byte ranges, buffering at most one chunk of the source. */
const reader = (source: AsyncIterator<Buffer>) => {
  let buffer: Buffer = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    const { done, value } = await source.next();
    if (done) throw incomplete();
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value]);
  };
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = buffer.indexOf('\r\n');
        if (end >= 0) {
          const line = buffer.toString('latin1', 0, end);
          buffer = buffer.subarray(end + 2);
          return line;
        }
        if (buffer.length > LONGEST_LINE) throw incomplete();
        await more();
      }
    },
    async *bytes(length: number): AsyncGenerator<Buffer> {
      let left = length;
      while (left > 0) {
        if (buffer.length === 0) await more();
        const piece = buffer.subarray(0, left);
        buffer = buffer.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
  };
};

async function* chunks({ line, bytes }: ReturnType<typeof reader>): AsyncGenerator<Buffer> {
  for (;;) {
    const size = /^([0-9a-fA-F]{1,8})(;|$)/.exec(await line())?.[1];
    if (size === undefined) throw incomplete();
    const length = Number.parseInt(size, 16);
    if (length === 0) return;
    yield* bytes(length);
    if ((await line()) !== '') throw incomplete();
  }
}

/** Decodes `aws-chunked`: yields the data and adds the headers after the last chunk to `trailers`. */
async function* decodeChunked(body: Readable, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const source: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false });
  try {
    const input = reader(source);
    yield* chunks(input);
    for (let trailer = await input.line(); trailer !== ''; trailer = await input.line()) {
      const at = trailer.indexOf(':');
      trailers.set(trailer.slice(0, at).trim().toLowerCase(), trailer.slice(at + 1).trim());
    }
  } finally {
    await source.return?.();
  }
}

type Running = { update(chunk: Uint8Array): void; base64(): string };

const runningCrc32 = (): Running => {
  let value = 0;
  return {
    update(chunk) {
      value = crc32(chunk, value);
    },
    base64() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString('base64');
    },
  };
};

const runningHash = (name: string) => (): Running => {
  const hash = createHash(name);
  return { update: (chunk) => void hash.update(chunk), base64: () => hash.digest('base64') };
};

const ALGORITHMS: Readonly<Record<string, () => Running>> = {
  crc32: runningCrc32,
  sha1: runningHash('sha1'),
  sha256: runningHash('sha256'),
};

const PREFIX = 'x-amz-checksum-';
const NOT_VALUES = new Set(['algorithm', 'type', 'mode']);

export const runningChecksum = (algorithm: string): Running => {
  const create = ALGORITHMS[algorithm.toLowerCase()];
  if (create) return create();
  throw new AwsError(501, 'NotImplemented', `Checksums by ${algorithm} are not emulated.`);
};

type Declared = { readonly algorithm: string; readonly value: string | undefined };

/** The checksum in a header, or announced as a trailer. */
export const declaredChecksum = (headers: Readonly<Record<string, string>>): Declared | undefined => {
  const trailer = headers['x-amz-trailer'];
  if (trailer?.startsWith(PREFIX)) return { algorithm: trailer.slice(PREFIX.length), value: undefined };
  const header = Object.keys(headers).find(
    (name) => name.startsWith(PREFIX) && !NOT_VALUES.has(name.slice(PREFIX.length)),
  );
  return header === undefined
    ? undefined
    : { algorithm: header.slice(PREFIX.length), value: headers[header] };
};

export const checksumHeader = (algorithm: string): string => `${PREFIX}${algorithm.toLowerCase()}`;

type Received = {
  readonly md5: string;
  readonly size: number;
  readonly checksum: { readonly algorithm: string; readonly value: string } | undefined;
};

const CHUNKED = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

const check = (right: boolean, code: string, message: string): void => {
  if (!right) throw new AwsError(400, code, message);
};

const plainBody = (
  body: Readable,
  contentHash: string,
  trailers: Map<string, string>,
): AsyncIterable<Buffer> => {
  if (contentHash === CHUNKED) return decodeChunked(body, trailers);
  if (contentHash.startsWith('STREAMING-')) {
    throw new AwsError(501, 'NotImplemented', `Bodies of the form ${contentHash} are not emulated.`);
  }
  // The connection stays open after a failure, so that the client can read the error.
  return body.iterator({ destroyOnReturn: false });
};

/** Passes a body on in chunks, and throws unless its length and every declared digest match. */
export const receiveBody = async (
  { headers }: AwsRequest,
  body: Readable,
  write: (piece: Buffer) => Promise<unknown>,
): Promise<Received> => {
  const contentHash = headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  const declared = declaredChecksum(headers);
  const running = declared && runningChecksum(declared.algorithm);
  const trailers = new Map<string, string>();
  const md5 = createHash('md5');
  const sha256 = /^[0-9a-f]{64}$/.test(contentHash) ? createHash('sha256') : undefined;
  let size = 0;
  for await (const piece of plainBody(body, contentHash, trailers)) {
    size += piece.length;
    md5.update(piece);
    sha256?.update(piece);
    running?.update(piece);
    await write(piece);
  }
  const length = headers['x-amz-decoded-content-length'] ?? headers['content-length'];
  const incomplete = 'You did not provide the number of bytes specified by the Content-Length HTTP header';
  check(length === undefined || Number(length) === size, 'IncompleteBody', incomplete);
  const hashMessage = "The provided 'x-amz-content-sha256' header does not match what was computed.";
  check(
    sha256 === undefined || sha256.digest('hex') === contentHash,
    'XAmzContentSHA256Mismatch',
    hashMessage,
  );
  const digest = md5.digest();
  const contentMd5 = headers['content-md5'];
  const md5Message = 'The Content-MD5 you specified did not match what we received.';
  check(contentMd5 === undefined || contentMd5 === digest.toString('base64'), 'BadDigest', md5Message);
  if (!declared || !running) return { md5: digest.toString('hex'), size, checksum: undefined };
  const { algorithm } = declared;
  const value = running.base64();
  const expected = declared.value ?? trailers.get(checksumHeader(algorithm));
  const checksumMessage = `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`;
  check(expected === value, 'BadDigest', checksumMessage);
  return { md5: digest.toString('hex'), size, checksum: { algorithm, value } };
};

const XML_LIMIT = 4 * 1024 * 1024;

export const readXml = async ({ request, body }: BucketCall): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  await receiveBody(request, body, async (piece) => {
    size += piece.length;
    if (size > XML_LIMIT) throw new AwsError(400, 'MaxMessageLengthExceeded', 'Your request was too big.');
    pieces.push(piece);
  });
  return Buffer.concat(pieces).toString('utf8');
};
