import { fileKey } from '../../../functions/files/domain/file-keys.ts';
import type { FileReader, OpenedFile } from '../../../functions/files/domain/files.ts';
import {
  type CleanUpPosition,
  INPUT_PREFIX,
  type MediaStore,
  MissingInput,
} from '../../../functions/videos/domain/media.ts';
import { joined } from '../sample-video.ts';
import { type Call, callAtOnce } from './call.ts';

/** The bucket: the bytes under each key, and when they were stored. */
export class MemoryMedia {
  readonly #objects = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();

  /** The last input that the clean-up has looked at. */
  position: string | undefined;

  readonly put = (key: string, bytes: Uint8Array, now: number): void => {
    this.#objects.set(key, { bytes, storedAt: now });
  };

  readonly get = (key: string): Uint8Array => {
    const object = this.#objects.get(key);
    if (object === undefined) throw new MissingInput(`${key} was not found`);
    return object.bytes;
  };

  /** Files of this store never expire. */
  readonly open = (key: string, firstBytes?: number): OpenedFile | undefined => {
    const object = this.#objects.get(key);
    if (object === undefined) return undefined;
    const { bytes } = object;
    return {
      bytes: bytes.length,
      expiresAt: Number.POSITIVE_INFINITY,
      read: async () => bytes.subarray(0, firstBytes),
      close: () => {},
    };
  };

  readonly remove = (keys: readonly string[]): void => {
    for (const key of keys) this.#objects.delete(key);
  };

  readonly has = (key: string): boolean => this.#objects.has(key);

  readonly keys = (): string[] => [...this.#objects.keys()];

  /** In the order of their keys. */
  readonly inputs = (): string[] =>
    this.keys()
      .filter((key) => key.startsWith(INPUT_PREFIX))
      .toSorted();
}

export const mediaPort = (
  media: MemoryMedia,
  now: () => number,
  call: Call = callAtOnce,
): MediaStore & FileReader => ({
  putInput: (key, { bytes }) => call('media.putInput', () => media.put(key, bytes, now())),
  getInput: (key) => call('media.getInput', () => media.get(key)),
  openFile: async ({ account, id }, firstBytes) => media.open(fileKey(account, id), firstBytes),
  putVideo: async (key, video) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of video) chunks.push(chunk);
    await call('media.putVideo', () => media.put(key, joined(...chunks), now()));
  },
  remove: (keys) => call('media.remove', () => media.remove(keys)),
  inputsAfter: async function* (after) {
    yield await call('media.inputsAfter', () => media.inputs().filter((key) => key > after));
  },
});

export const positionPort = (media: MemoryMedia, call: Call = callAtOnce): CleanUpPosition => ({
  read: () => call('position.read', () => media.position),
  save: (key) =>
    call('position.save', () => {
      media.position = key;
    }),
});
