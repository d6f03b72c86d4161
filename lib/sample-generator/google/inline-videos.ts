import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Abandoned } from '../exchange.ts';
import { VideoFile } from '../padded-media.ts';

/** Encodes pieces of any length; three bytes make four characters. */
async function* base64(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

async function* interleaved(texts: readonly string[], files: readonly VideoFile[]): AsyncGenerator<string> {
  for (const [position, text] of texts.entries()) {
    yield text;
    const file = files[position];
    if (file !== undefined) yield* base64(file.content());
  }
}

/** Sends JSON that can contain video files as Base64, without holding them in memory. */
export const sendWithVideos = async (response: ServerResponse, value: unknown): Promise<void> => {
  const mark = randomUUID();
  const files: VideoFile[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof VideoFile)) return item;
    files.push(item);
    return mark;
  });
  const texts = json.split(mark);
  const sizes = await Promise.all(files.map((file) => file.size()));
  const lengths = [
    ...texts.map((text) => Buffer.byteLength(text)),
    ...sizes.map((size) => 4 * Math.ceil(size / 3)),
  ];
  response.writeHead(200, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': lengths.reduce((sum, length) => sum + length, 0),
  });
  try {
    await pipeline(Readable.from(interleaved(texts, files)), response);
  } catch (cause) {
    // A client may need only the beginning.
    throw new Abandoned(undefined, { cause });
  }
};
