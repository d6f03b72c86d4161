import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Abandoned, type Exchange, type Generator, type Handler } from './exchange.ts';
import { type Operation, splitFileId } from './operations.ts';
import { VideoFile } from './padded-media.ts';
import type { TestPrompts } from './test-prompts.ts';
import { UpstreamError } from './upstream-error.ts';

const SIGN_IN_PAGE = '<!DOCTYPE html><title>Sign in</title><p>This is not the video.\n';

export type FoundFile = {
  readonly operation: Operation;
  readonly file: VideoFile;
  readonly size: number;
  readonly testPrompts: TestPrompts;
};

/** The file of a finished operation, unless it is missing or expired. */
export const findSample = async (
  { operations }: Generator,
  operationId: string,
  sample: number,
): Promise<FoundFile | undefined> => {
  const operation = await operations.find(operationId);
  const result = operation && operations.results(operation)?.[sample];
  if (operation === undefined || result?.outcome !== 'rendered') return undefined;
  const { testPrompts } = operation.spec;
  const file = new VideoFile(result.path, testPrompts);
  const found = await stat(result.path).catch(() => undefined);
  return found && { operation, file, size: await file.size(), testPrompts };
};

export const findFile = (generator: Generator, id: string): Promise<FoundFile | undefined> => {
  const { operation, sample } = splitFileId(id);
  return findSample(generator, operation, sample);
};

/** Where the foreign host has a file. */
export const foreignAddress = ({ addresses }: Generator, fileId: string): string =>
  `${addresses().foreign}/storage/${fileId}`;

async function* firstHalf(pieces: AsyncIterable<Buffer>, size: number) {
  let left = Math.floor(size / 2);
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

const sendPage = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' });
  response.end(SIGN_IN_PAGE);
};

const sendHalf = async (response: ServerResponse, pieces: AsyncIterable<Buffer>, size: number) => {
  await pipeline(Readable.from(firstHalf(pieces, size)), response, { end: false });
  // The half must reach the client before the connection breaks.
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.destroy();
};

/** Sends the file itself; `subject` counts the attempts to download it. */
export const sendContent = async (
  { response, generator }: Exchange,
  subject: string,
  { file, size, testPrompts }: FoundFile,
) => {
  if (testPrompts.notMp4 === true) return sendPage(response);
  const fault = generator.faults.next('content', subject, testPrompts);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  try {
    if (fault === undefined) await pipeline(Readable.from(file.content()), response);
    else await sendHalf(response, file.content(), size);
  } catch (cause) {
    throw new Abandoned(undefined, { cause });
  }
};

export const sendForeignFile: Handler = async (exchange) => {
  const { file: id = '' } = exchange.groups;
  const found = await findFile(exchange.generator, id);
  if (found === undefined) throw new UpstreamError(404);
  await sendContent(exchange, id, found);
};
