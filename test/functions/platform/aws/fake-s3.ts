import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { startServer } from '../../../support/server.ts';

export type S3Call = 'put' | 'start' | 'part' | 'complete' | 'abort' | 'get' | 'head' | 'copy';

type S3Request = {
  readonly call: S3Call;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

const readCall = ({ method, url = '', headers }: IncomingMessage): S3Call => {
  if (method === 'HEAD') return 'head';
  if ('x-amz-copy-source' in headers) return 'copy';
  if (method === 'GET') return 'get';
  if (method === 'DELETE') return 'abort';
  if (method === 'POST') return url.includes('uploads') ? 'start' : 'complete';
  return url.includes('partNumber') ? 'part' : 'put';
};

const UPLOAD = '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
const COMPLETED = '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>';
const COPIED = '<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>';
const BODIES: Partial<Record<S3Call, string>> = { start: UPLOAD, complete: COMPLETED, copy: COPIED };

/** Starts a server that accepts uploads, rejects one kind of call, and records the requests. */
export const startFakeS3 = async (refuses?: S3Call, code = 'AccessDenied') => {
  const calls: (readonly [call: S3Call, bytes: number])[] = [];
  const requests: S3Request[] = [];
  const server = await startServer(async (request, response) => {
    const call = readCall(request);
    const body = await buffer(request);
    calls.push([call, body.length]);
    requests.push({ call, path: request.url ?? '', headers: request.headers, body });
    if (call === refuses)
      response.writeHead(code === 'NoSuchKey' ? 404 : 403).end(`<Error><Code>${code}</Code></Error>`);
    else response.writeHead(200, { etag: '"1"' }).end(BODIES[call] ?? '');
  });
  const client = new S3Client({
    endpoint: server.url,
    region: 'local',
    forcePathStyle: true,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  });
  return {
    calls,
    requests,
    client,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      client.destroy();
      await server.close();
    },
  };
};

/** The path and the relevant parameters of a signed URL. */
export const readLink = (link: string) => {
  const { pathname, searchParams } = new URL(link);
  const given = (name: string) => searchParams.get(name) ?? undefined;
  return {
    path: pathname,
    seconds: given('X-Amz-Expires'),
    headers: given('X-Amz-SignedHeaders'),
    type: given('response-content-type'),
    disposition: given('response-content-disposition'),
    signature: given('X-Amz-Signature'),
  };
};
