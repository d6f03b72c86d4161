import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AwsError } from '../aws-http/aws-error.ts';
import type { AwsRequest } from '../aws-http/service.ts';
import { decodeChunked } from './aws-chunked.ts';
import { checksumHeader, declaredChecksum, runningChecksum } from './checksums.ts';
import type { BucketCall } from './operation.ts';

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
  // Kept alive after a failure, so that its client can still read the error.
  return body.iterator({ destroyOnReturn: false });
};

/** Passes a body on, piece by piece, and believes none of it before its length and every declared digest agree. */
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

/** A request's XML, with its digests checked as those of any body. */
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
