import { readMovie, type VideoFacts } from './mp4-movie.ts';

/** Thrown for a truncated file or an error page, before the task completes. */
export class IncompleteVideo extends Error {
  override readonly name = 'IncompleteVideo';
  /** The start was valid; a retry may get the rest. */
  readonly truncated: boolean;

  constructor(message: string, { truncated = false } = {}) {
    super(message);
    this.truncated = truncated;
  }
}

const HEADER = 8;
const LONG_HEADER = 16;
/** A `moov` of a few seconds has kilobytes. One above this size is not kept, so its facts are unknown. */
const MAX_MOVIE_BYTES = 4 * 1024 * 1024;
/** A fragmented video has two for each of its fragments. */
const MAX_BOXES = 10_000;
/** Several times the longest video in 4k. A file that never ends is given up here. */
const MAX_VIDEO_BYTES = 1024 ** 3;

/**
 * Checks an MP4 while it is streamed: the top-level boxes must follow each other without a gap, start with `ftyp`,
 * include `moov` and `mdat`, and end where the file ends. Keeps only the first `moov`.
 */
export class Mp4Inspector {
  #header = new Uint8Array(0);
  #payloadLeft = 0;
  #boxes = new Set<string>();
  #count = 0;
  #openEnded = false;
  #movie: Uint8Array | undefined;
  /** The part of `#movie` whose bytes have not arrived. */
  #missing: Uint8Array | undefined;

  take(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#openEnded) {
      const payload = rest.subarray(0, this.#payloadLeft);
      this.#missing?.set(payload);
      this.#missing = this.#missing?.subarray(payload.length);
      this.#payloadLeft -= payload.length;
      rest = rest.subarray(payload.length);
      if (rest.length > 0) rest = this.#takeHeader(rest);
    }
  }

  /** Throws unless the chunks so far form a complete MP4. */
  finish(): VideoFacts {
    if (this.#payloadLeft > 0 || this.#header.length > 0)
      throw new IncompleteVideo('the video is truncated', { truncated: true });
    for (const type of ['ftyp', 'moov', 'mdat'])
      if (!this.#boxes.has(type)) throw new IncompleteVideo(`the video has no ${type} box`);
    return readMovie(this.#movie ?? new Uint8Array());
  }

  #takeHeader(bytes: Uint8Array): Uint8Array {
    const wanted = this.#wantedHeader();
    const taken = bytes.subarray(0, wanted - this.#header.length);
    this.#header = new Uint8Array([...this.#header, ...taken]);
    if (this.#header.length === this.#wantedHeader()) this.#openBox();
    return bytes.subarray(taken.length);
  }

  #wantedHeader(): number {
    if (this.#header.length < HEADER) return HEADER;
    return new DataView(this.#header.buffer).getUint32(0) === 1 ? LONG_HEADER : HEADER;
  }

  #openBox(): void {
    this.#count += 1;
    if (this.#count > MAX_BOXES) throw new IncompleteVideo('the video has too many boxes');
    const view = new DataView(this.#header.buffer);
    const type = String.fromCharCode(...this.#header.subarray(4, 8));
    if (this.#boxes.size === 0 && type !== 'ftyp') throw new IncompleteVideo('the data is not an MP4');
    const short = view.getUint32(0);
    const size = short === 1 ? Number(view.getBigUint64(8)) : short;
    // Size 0 means "to the end of the file".
    this.#openEnded = size === 0;
    if (size !== 0 && size < this.#header.length) throw new IncompleteVideo('the video has a broken box');
    this.#payloadLeft = size === 0 ? 0 : size - this.#header.length;
    this.#keepMovie(type);
    this.#boxes.add(type);
    this.#header = new Uint8Array(0);
  }

  #keepMovie(type: string): void {
    const isKept = type === 'moov' && !this.#boxes.has(type) && this.#payloadLeft <= MAX_MOVIE_BYTES;
    this.#missing = isKept ? new Uint8Array(this.#payloadLeft) : undefined;
    this.#movie ??= this.#missing;
  }
}

export type CheckedVideo = VideoFacts & { readonly bytes: number };

/** Yields the video unchanged and throws at its end if it is not a complete MP4; `onEnd` receives its facts. */
export async function* checkedVideo(
  video: AsyncIterable<Uint8Array>,
  onEnd: (checked: CheckedVideo) => void,
): AsyncGenerator<Uint8Array> {
  const inspector = new Mp4Inspector();
  let bytes = 0;
  for await (const chunk of video) {
    inspector.take(chunk);
    bytes += chunk.length;
    if (bytes > MAX_VIDEO_BYTES) throw new IncompleteVideo('the video is larger than 1 GB');
    yield chunk;
  }
  onEnd({ bytes, ...inspector.finish() });
}
