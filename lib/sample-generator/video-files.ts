import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Abandoned, type Exchange, type Generator, type Handler, injectFault, sendJson } from './exchange.ts';
import { type Operation, splitFileId } from './operations.ts';
import { VideoFile } from './padded-media.ts';
import type { TestPrompts } from './read-test-prompts.ts';
import { UpstreamError } from './upstream-error.ts';

const SIGN_IN_PAGE = '<!DOCTYPE html><title>Sign in</title><p>This is not the video.\n';

type FoundFile = { readonly file: VideoFile; readonly size: number; readonly testPrompts: TestPrompts };

/** The file of a finished operation, unless it is missing or expired. */
const findSample = async (
  { operations }: Generator,
  operationId: string,
  sample: number,
): Promise<(FoundFile & { readonly operation: Operation }) | undefined> => {
  const operation = await operations.find(operationId);
  const result = operation && operations.results(operation)?.[sample];
  if (operation === undefined || result?.outcome !== 'rendered') return undefined;
  const { testPrompts } = operation.spec;
  const file = new VideoFile(result.path, testPrompts.megabytes);
  const found = await stat(result.path).catch(() => undefined);
  return found && { operation, file, size: await file.size(), testPrompts };
};

const findFile = async (id: string, generator: Generator): Promise<FoundFile> => {
  const { operation, sample } = splitFileId(id);
  const found = await findSample(generator, operation, sample);
  if (found !== undefined) return found;
  // The upstream answers alike for missing and forbidden files.
  throw new UpstreamError(403, `You do not have permission to access the File ${id} or it may not exist.`);
};

/** The public URL of a file redirects to its content. */
export const redirectToFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  const { testPrompts } = await findFile(id, generator);
  await injectFault(exchange, generator, { place: 'file', subject: id, testPrompts });
  const { own, foreign } = generator.addresses();
  const location =
    testPrompts.foreignRedirect === true
      ? `${foreign}/storage/${id}`
      : `${own}/download/v1beta/files/${id}:download?alt=media`;
  exchange.response.writeHead(302, { location }).end();
};

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
  response.end(SIGN_IN_PAGE);
};

const sendHalf = async ({ response }: Exchange, pieces: AsyncIterable<Buffer>, size: number) => {
  await pipeline(Readable.from(firstHalf(pieces, size)), response, { end: false });
  // The half must reach the client before the connection breaks.
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.destroy();
};

const sendContent = async (
  exchange: Exchange,
  { faults }: Generator,
  subject: string,
  { file, size, testPrompts }: FoundFile,
) => {
  if (testPrompts.notMp4 === true) return sendPage(exchange);
  const fault = faults.next('content', subject, testPrompts);
  exchange.response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  try {
    if (fault === undefined) await pipeline(Readable.from(file.content()), exchange.response);
    else await sendHalf(exchange, file.content(), size);
  } catch (cause) {
    throw new Abandoned(undefined, { cause });
  }
};

export const sendFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  await sendContent(exchange, generator, id, await findFile(id, generator));
};

/** Where Vertex AI stores a video, if the request names a bucket. */
export const objectAddress = ({ id, spec }: Operation, sample: number): string | undefined =>
  spec.storageUri && `${spec.storageUri.replace(/\/$/, '')}/${id}/sample_${sample}.mp4`;

const OBJECT = /(?:^|\/)([a-z0-9]{11})\/sample_(\d)\.mp4$/;

/** The object that the path names; others than generated videos do not exist. */
const findObject = async ({ groups }: Exchange, generator: Generator) => {
  const name = decodeURIComponent(groups.object ?? '');
  const address = `gs://${groups.bucket}/${name}`;
  const [, operationId = '', sample = ''] = OBJECT.exec(name) ?? [];
  const found = await findSample(generator, operationId, Number(sample));
  const isThere = found !== undefined && objectAddress(found.operation, Number(sample)) === address;
  if (!isThere || generator.deletedObjects.has(address))
    throw new UpstreamError(404, `No such object: ${groups.bucket}/${name}`);
  return { ...found, address, name };
};

/** Cloud Storage: the content with `alt=media`, otherwise the description of the object. */
export const sendObject: Handler = async (exchange, generator) => {
  const { address, name, ...found } = await findObject(exchange, generator);
  const { testPrompts, size } = found;
  await injectFault(exchange, generator, { place: 'file', subject: address, testPrompts });
  const { searchParams } = new URL(exchange.request.url ?? '/', 'http://sample');
  if (searchParams.get('alt') === 'media') return sendContent(exchange, generator, address, found);
  const { bucket } = exchange.groups;
  sendJson(exchange.response, { kind: 'storage#object', name, bucket, size, contentType: 'video/mp4' });
};

export const deleteObject: Handler = async (exchange, generator) => {
  const { address } = await findObject(exchange, generator);
  generator.deletedObjects.add(address);
  exchange.response.writeHead(204).end();
};
