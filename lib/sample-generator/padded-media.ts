import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const MEGABYTE = 1_000_000;
const PIECE = Buffer.alloc(64 * 1024);

const paddingSize = (size: number, megabytes: number | undefined) =>
  megabytes === undefined ? 0 : Math.max(0, megabytes * MEGABYTE - size);

const freeBox = (size: number) => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(size, 0);
  header.write('free', 4, 'latin1');
  return header;
};

/** Pads a video with a trailing `free` box, which players skip. */
function* mp4Padding(size: number, megabytes: number | undefined) {
  const total = paddingSize(size, megabytes);
  if (total < 8) return;
  yield freeBox(total);
  for (let left = total - 8; left > 0; left -= PIECE.length)
    yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
}

/** A video file, padded to this many megabytes. */
export class VideoFile {
  readonly path: string;
  readonly #megabytes: number | undefined;

  constructor(path: string, megabytes: number | undefined) {
    this.path = path;
    this.#megabytes = megabytes;
  }

  async size(): Promise<number> {
    const { size } = await stat(this.path);
    return size + paddingSize(size, this.#megabytes);
  }

  async *content(): AsyncGenerator<Buffer> {
    const { size } = await stat(this.path);
    yield* createReadStream(this.path);
    yield* mp4Padding(size, this.#megabytes);
  }
}

const LONGEST_COMMENT = 65_535;

const comment = (size: number) => {
  const segment = Buffer.alloc(size, 'sample ');
  segment.writeUInt16BE(0xfffe, 0);
  segment.writeUInt16BE(size - 2, 2);
  return segment;
};

/** Pads a JPEG with comment segments after its first marker, which decoders skip. */
export const paddedJpeg = (jpeg: Buffer, megabytes: number | undefined): Buffer => {
  const comments: Buffer[] = [];
  for (let left = paddingSize(jpeg.length, megabytes); left >= 4; left -= LONGEST_COMMENT + 2) {
    comments.push(comment(Math.min(left, LONGEST_COMMENT + 2)));
  }
  return comments.length === 0 ? jpeg : Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)]);
};
