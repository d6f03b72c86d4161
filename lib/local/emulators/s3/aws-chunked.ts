import type { Readable } from 'node:stream';
import { AwsError } from '../aws-http/aws-error.ts';

const LONGEST_LINE = 8192;

const incomplete = (): AwsError =>
  new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');

/** Reads by lines and by lengths, holding no more than one piece of the source. */
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

/** Decodes `aws-chunked`: yields the data, and puts what follows the last chunk into `trailers`. */
export async function* decodeChunked(body: Readable, trailers: Map<string, string>): AsyncGenerator<Buffer> {
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
