import type { OpenedFile } from '../../../functions/files/domain/files.ts';
import { MissingInput, type StoredObject } from '../../../functions/videos/domain/ports.ts';
import { INPUT_PREFIX } from '../../../functions/videos/domain/task.ts';

/** The bucket: what is stored under which key, and since when. */
export class MemoryMedia {
  readonly #objects = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();

  readonly put = (key: string, bytes: Uint8Array, now: number): void => {
    this.#objects.set(key, { bytes, storedAt: now });
  };

  readonly get = (key: string): Uint8Array => {
    const object = this.#objects.get(key);
    if (object === undefined) throw new MissingInput(`${key} was not found`);
    return object.bytes;
  };

  /** A file of this store never expires by itself: what a test puts there is there. */
  readonly open = (key: string, firstBytes?: number): OpenedFile | undefined => {
    const object = this.#objects.get(key);
    if (object === undefined) return undefined;
    const { bytes } = object;
    return {
      bytes: bytes.length,
      expiresAt: Number.POSITIVE_INFINITY,
      read: async () => bytes.subarray(0, firstBytes),
      leave: () => {},
    };
  };

  readonly remove = (keys: readonly string[]): void => {
    for (const key of keys) this.#objects.delete(key);
  };

  readonly has = (key: string): boolean => this.#objects.has(key);

  readonly keys = (): string[] => [...this.#objects.keys()];

  readonly inputs = (): StoredObject[] =>
    [...this.#objects]
      .filter(([key]) => key.startsWith(INPUT_PREFIX))
      .map(([key, { storedAt }]) => ({ key, storedAt }));
}
