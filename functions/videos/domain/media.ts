import { opaqueName, timeOfTaskId } from '../../platform/domain/ids.ts';
import type { InputImage } from '../../platform/domain/input-image.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';
import type { StoredInput, Task, TaskError, TaskRequest, VideoSource } from './task.ts';

/** The input images and the video of a task: their generator, their store and their keys in it. */

export type LoadedInput = Pick<StoredInput, 'role'> & InputImage;

export type OperationState =
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly source: VideoSource }
  | { readonly state: 'failed'; readonly error: TaskError };

/** An asynchronous generator: `submit` returns an opaque operation, `check` returns its state. */
export type VideoGenerator = {
  submit(request: TaskRequest, inputs: readonly LoadedInput[]): Promise<string>;
  check(operation: string): Promise<OperationState>;
  open(operation: string, source: VideoSource): Promise<AsyncIterable<Uint8Array>>;
  /** Deletes the upstream's copy of a video that is stored here. */
  discard?(operation: string, source: VideoSource): Promise<void>;
};

/** The generators of all upstreams: each call names the one that it is for. */
export type VideoGenerators = {
  submit(
    request: TaskRequest,
    inputs: readonly LoadedInput[],
    upstream: UpstreamReference,
  ): ReturnType<VideoGenerator['submit']>;
  check(operation: string, upstream: UpstreamReference): ReturnType<VideoGenerator['check']>;
  open(
    operation: string,
    source: VideoSource,
    upstream: UpstreamReference,
  ): ReturnType<VideoGenerator['open']>;
  /** Deletes the upstream's copy of a video that is stored here. */
  discard?(operation: string, source: VideoSource, upstream: UpstreamReference): Promise<void>;
};

export type StoredObject = { readonly key: string; readonly storedAt: number };

/** An input image of a task is not in the store; a retry cannot help. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
}

export type MediaStore = {
  putInput(key: string, image: InputImage): Promise<void>;
  /** Throws MissingInput if there is no such key. */
  getInput(key: string): Promise<Uint8Array>;
  /** Stores the video once the stream has ended; a stream that throws leaves nothing behind. */
  putVideo(key: string, video: AsyncIterable<Uint8Array>): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  inputs(): AsyncIterable<StoredObject>;
};

export type LinkMethod = 'GET' | 'HEAD';

export type VideoLinks = {
  /** A URL from which anyone can download the video, or an image, with this method for a few minutes. */
  sign(key: string, fileName: string, method: LinkMethod, mimeType?: string): Promise<string>;
};

type NamedTask = Pick<Task, 'id' | 'createdAt'>;

/**
 * Names the objects and the charge of a task. An id derived from an idempotency key can be used again after a deletion,
 * so the creation time keeps the two tasks apart.
 */
export const storageName = ({ id, createdAt }: NamedTask): string =>
  timeOfTaskId(id) === undefined ? `${id}.${createdAt}` : id;

export const videoKey = (task: NamedTask): string => `videos/${opaqueName(storageName(task))}.mp4`;

export const INPUT_PREFIX = 'inputs/';
export const inputKey = (task: NamedTask, name: string): string =>
  `${INPUT_PREFIX}${storageName(task)}/${name}`;

/** False for a file of the account, which other tasks may use too. */
export const isOwnInput = ({ key }: StoredInput): boolean => key.startsWith(INPUT_PREFIX);

export const readInputTaskId = (key: string): string | undefined =>
  key.startsWith(INPUT_PREFIX) ? key.slice(INPUT_PREFIX.length).split(/[./]/)[0] : undefined;

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

/**
 * Checks an MP4 while it is streamed: the top-level boxes must follow each other without a gap, start with `ftyp`,
 * include `moov` and `mdat`, and end where the file ends.
 */
export class Mp4Inspector {
  #header = new Uint8Array(0);
  #payloadLeft = 0;
  #boxes = new Set<string>();
  #openEnded = false;

  take(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#openEnded) {
      const skipped = Math.min(this.#payloadLeft, rest.length);
      this.#payloadLeft -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length > 0) rest = this.#takeHeader(rest);
    }
  }

  /** Throws unless the chunks so far form a complete MP4. */
  finish(): void {
    if (this.#payloadLeft > 0 || this.#header.length > 0)
      throw new IncompleteVideo('the video is truncated', { truncated: true });
    for (const type of ['ftyp', 'moov', 'mdat'])
      if (!this.#boxes.has(type)) throw new IncompleteVideo(`the video has no ${type} box`);
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
    const view = new DataView(this.#header.buffer);
    const type = String.fromCharCode(...this.#header.subarray(4, 8));
    if (this.#boxes.size === 0 && type !== 'ftyp') throw new IncompleteVideo('the data is not an MP4');
    const short = view.getUint32(0);
    const size = short === 1 ? Number(view.getBigUint64(8)) : short;
    // Size 0 means "to the end of the file".
    this.#openEnded = size === 0;
    if (size !== 0 && size < this.#header.length) throw new IncompleteVideo('the video has a broken box');
    this.#payloadLeft = size === 0 ? 0 : size - this.#header.length;
    this.#boxes.add(type);
    this.#header = new Uint8Array(0);
  }
}

/** Yields the video unchanged and throws at its end if it is not a complete MP4; `onEnd` receives its length. */
export async function* checkedVideo(
  video: AsyncIterable<Uint8Array>,
  onEnd: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const inspector = new Mp4Inspector();
  let bytes = 0;
  for await (const chunk of video) {
    inspector.take(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  inspector.finish();
  onEnd(bytes);
}
