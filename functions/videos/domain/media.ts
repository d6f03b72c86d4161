import type { InputImage } from '../../catalogue/domain/input-image.ts';
import { decodeTime, encodeTime, opaqueName, timeOfTaskId } from '../../platform/domain/ids.ts';
import type { StoredInput, Task } from './task.ts';

/** The input images and the video of a task: their generator, their store and their keys in it. */

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
  /** The keys of inputs that come after this one, in order, page by page. */
  inputsAfter(key: string): AsyncIterable<readonly string[]>;
};

export type VideoRetention = {
  /** Makes a stored video last for good, or for as long as a new one. */
  retain(key: string, isKept: boolean): Promise<void>;
};

/** The last input that a run of the clean-up has looked at. */
export type CleanUpPosition = {
  read(): Promise<string | undefined>;
  save(key: string): Promise<void>;
};

export type LinkMethod = 'GET' | 'HEAD';

export type VideoLinks = {
  /** A URL from which anyone can download the video, or an image, with this method for a few minutes. */
  sign(key: string, fileName: string, method: LinkMethod, mimeType?: string): Promise<string>;
};

type NamedTask = Pick<Task, 'id' | 'createdAt'>;

/** With the creation time, because after a deletion an idempotency key can produce the same id again. */
export const storageName = ({ id, createdAt }: NamedTask): string =>
  timeOfTaskId(id) === undefined ? `${id}.${createdAt}` : id;

export const videoKey = (task: NamedTask): string => `videos/${opaqueName(storageName(task))}.mp4`;

export const INPUT_PREFIX = 'inputs/';

/** Sorts before the inputs of tasks that are created from this time on, and after all earlier ones. */
export const inputPosition = (createdAt: number): string =>
  `${INPUT_PREFIX}${encodeTime(Math.max(0, createdAt))}`;

/** Sorts by the time of creation, so that the clean-up reads each key once. */
export const inputKey = ({ id, createdAt }: NamedTask, name: string): string =>
  `${inputPosition(createdAt)}/${id}/${name}`;

/** False for a file of the account, which other tasks may use too. */
export const isOwnInput = ({ key }: StoredInput): boolean => key.startsWith(INPUT_PREFIX);

/** The task for which an input was stored; undefined for any other key. */
export const readInputKey = (key: string): NamedTask | undefined => {
  if (!key.startsWith(INPUT_PREFIX)) return undefined;
  const [time, id, name] = key.slice(INPUT_PREFIX.length).split('/');
  return time === undefined || id === undefined || name === undefined
    ? undefined
    : { id, createdAt: decodeTime(time) };
};
