import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Abandoned, type Exchange } from './exchange.ts';
import { type Generator, type Handler, injectFault } from './generator.ts';
import { splitFileId } from './operations.ts';
import { mp4Padding, paddingSize } from './padding.ts';
import { UpstreamError } from './upstream-error.ts';

const PAGE = '<!DOCTYPE html><title>Sign in</title><p>This is not the video.\n';

const findFile = async (id: string, { operations }: Generator) => {
  const { operation: operationId, sample } = splitFileId(id);
  const operation = await operations.find(operationId);
  const result = operation && operations.results(operation)?.[sample];
  const found = result?.outcome === 'rendered' ? await stat(result.path).catch(() => undefined) : undefined;
  // The upstream does not tell a missing file from a forbidden one.
  if (operation === undefined || result?.outcome !== 'rendered' || found === undefined) {
    throw new UpstreamError(403, `You do not have permission to access the File ${id} or it may not exist.`);
  }
  return { path: result.path, size: found.size, directives: operation.spec.directives };
};

/** The public address of a file: it checks, and sends the client on to where the bytes are. */
export const redirectToFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  const { directives } = await findFile(id, generator);
  await injectFault(exchange, generator, { place: 'file', subject: id, directives });
  const { own, foreign } = generator.addresses();
  const location =
    directives.foreignRedirect === true
      ? `${foreign}/storage/${id}`
      : `${own}/download/v1beta/files/${id}:download?alt=media`;
  exchange.response.writeHead(302, { location }).end();
};

async function* content(path: string, size: number, megabytes: number | undefined) {
  yield* createReadStream(path);
  yield* mp4Padding(size, megabytes);
}

async function* firstHalf(pieces: AsyncIterable<Buffer>, size: number) {
  let left = Math.floor(size / 2);
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

const sendPage = ({ response }: Exchange) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' });
  response.end(PAGE);
};

const sendHalf = async ({ response }: Exchange, pieces: AsyncIterable<Buffer>, size: number) => {
  await pipeline(Readable.from(firstHalf(pieces, size)), response, { end: false });
  // What was written must reach the client before the connection breaks.
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.destroy();
};

export const sendFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  const { path, size, directives } = await findFile(id, generator);
  if (directives.notMp4 === true) return sendPage(exchange);
  const total = size + paddingSize(size, directives.megabytes);
  const fault = generator.faults.next('content', id, directives);
  exchange.response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': total });
  const pieces = content(path, size, directives.megabytes);
  try {
    if (fault === undefined) await pipeline(Readable.from(pieces), exchange.response);
    else await sendHalf(exchange, pieces, total);
  } catch (cause) {
    throw new Abandoned(undefined, { cause });
  }
};
