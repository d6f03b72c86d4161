import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { TestPrompts } from './test-prompts.ts';

/** The test prompts that add something to a file. */
type Additions = Pick<TestPrompts, 'megabytes' | 'credentials'>;

const MEGABYTE = 1_000_000;
const PIECE = Buffer.alloc(64 * 1024);

const paddingSize = (size: number, megabytes: number | undefined) =>
  megabytes === undefined ? 0 : Math.max(0, megabytes * MEGABYTE - size);

const boxHeader = (type: string, size: number) => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(size, 0);
  header.write(type, 4, 'latin1');
  return header;
};

const box = (type: string, ...content: readonly Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([boxHeader(type, 8 + body.length), body]);
};

/** The same bytes every time, which stand for a signed manifest and do not compress. */
const MANIFEST = box(
  'jumb',
  createHash('shake256', { outputLength: 6000 }).update('sample content credentials').digest(),
);

/** The type of the box in which an MP4 has content credentials (C2PA). */
const CREDENTIALS_TYPE = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const MP4_CREDENTIALS = box(
  'uuid',
  CREDENTIALS_TYPE,
  Buffer.alloc(4),
  Buffer.from('manifest\0', 'latin1'),
  MANIFEST,
);

/** Pads a video with a trailing `free` box, which players skip. */
function* mp4Padding(size: number, megabytes: number | undefined) {
  const total = paddingSize(size, megabytes);
  if (total < 8) return;
  yield boxHeader('free', total);
  for (let left = total - 8; left > 0; left -= PIECE.length)
    yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
}

/** A video file, with content credentials and padding if test prompts ask for them. */
export class VideoFile {
  readonly path: string;
  readonly #megabytes: number | undefined;
  readonly #credentials: Buffer | undefined;

  constructor(path: string, { megabytes, credentials }: Additions) {
    this.path = path;
    this.#megabytes = megabytes;
    this.#credentials = credentials === true ? MP4_CREDENTIALS : undefined;
  }

  async #sizeWithoutPadding(): Promise<number> {
    const { size } = await stat(this.path);
    return size + (this.#credentials?.length ?? 0);
  }

  async size(): Promise<number> {
    const size = await this.#sizeWithoutPadding();
    return size + paddingSize(size, this.#megabytes);
  }

  async *content(): AsyncGenerator<Buffer> {
    const size = await this.#sizeWithoutPadding();
    yield* createReadStream(this.path);
    // At the end, because the index of an MP4 contains offsets.
    if (this.#credentials !== undefined) yield this.#credentials;
    yield* mp4Padding(size, this.#megabytes);
  }
}

const LONGEST_COMMENT = 65_535;

const segment = (marker: number, content: Buffer) => {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(marker, 0);
  header.writeUInt16BE(2 + content.length, 2);
  return Buffer.concat([header, content]);
};

const comment = (size: number) => segment(0xfffe, Buffer.alloc(size - 4, 'sample '));

/** The manifest is the first part (1) of the first box (1). */
const JPEG_CREDENTIALS = segment(
  0xffeb,
  Buffer.concat([Buffer.from('JP\x00\x01\x00\x00\x00\x01', 'latin1'), MANIFEST]),
);

/** Adds content credentials and pads with comments: segments after the first marker, which decoders skip. */
export const paddedJpeg = (jpeg: Buffer, { megabytes, credentials }: Additions): Buffer => {
  const segments = credentials === true ? [JPEG_CREDENTIALS] : [];
  const size = jpeg.length + Buffer.concat(segments).length;
  for (let left = paddingSize(size, megabytes); left >= 4; left -= LONGEST_COMMENT + 2)
    segments.push(comment(Math.min(left, LONGEST_COMMENT + 2)));
  return segments.length === 0 ? jpeg : Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
};
