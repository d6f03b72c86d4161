import type { Readable } from 'node:stream';
import { AwsError } from '../front/aws-error.ts';

const LONGEST_LINE = 8192;

const incomplete = (): AwsError =>
  new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');

/** Reads a stream by lines and by lengths, holding no more than one piece of it. */
const reader = (body: Readable) => {
  const source: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
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

/** Decodes `aws-chunked`: yields the data, and puts what follows the last chunk into `trailers`. */
export async function* decodeChunked(body: Readable, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const { line, bytes } = reader(body);
  for (;;) {
    const size = /^([0-9a-fA-F]{1,8})(;|$)/.exec(await line())?.[1];
    if (size === undefined) throw incomplete();
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    yield* bytes(length);
    if ((await line()) !== '') throw incomplete();
  }
  for (let trailer = await line(); trailer !== ''; trailer = await line()) {
    const at = trailer.indexOf(':');
    trailers.set(trailer.slice(0, at).trim().toLowerCase(), trailer.slice(at + 1).trim());
  }
}
