import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

export type Blob = { readonly name: string; readonly size: number };

const PIECE = 256 * 1024;

type Slice = { readonly file: FileHandle; readonly start: number; readonly end: number };

async function* readSlices(slices: readonly Slice[]): AsyncGenerator<Buffer> {
  for (const { file, start, end } of slices) {
    for (let at = start; at < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, end - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error('a stored file is shorter than its record says');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** A disk that is nearly full takes a part of a piece and reports no error. */
const writeWhole = async (file: FileHandle, piece: Buffer): Promise<void> => {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
};

const closeAll = (slices: readonly Slice[]): void => {
  for (const { file } of slices) file.close().catch(() => {});
};

const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Files of bytes. A blob belongs to an object or part only once a row names it; any other is swept at start. */
export const blobStore = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const pathOf = (name: string): string => join(folder, name);
  const remove = async (blobs: readonly Blob[]): Promise<void> => {
    await Promise.all(blobs.map(({ name }) => rm(pathOf(name), { force: true })));
  };

  return {
    remove,
    /** Runs `fill` on a new file; when it fails, or its client goes away, nothing stays behind. */
    async write<T>(fill: (write: (piece: Buffer) => Promise<unknown>) => Promise<T>) {
      const name = randomUUID();
      const file = await open(pathOf(name), 'wx');
      try {
        const filled = await fill((piece) => writeWhole(file, piece));
        return { name, filled };
      } catch (error) {
        await rm(pathOf(name), { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },
    /**
     * Opens everything first, so that a deletion does not cut a download short; undefined where one was quicker.
     */
    async read(blobs: readonly Blob[], start: number, end: number): Promise<Readable | undefined> {
      const slices: Slice[] = [];
      try {
        let offset = 0;
        for (const { name, size } of blobs) {
          const from = Math.max(start - offset, 0);
          const to = Math.min(end - offset, size);
          if (from < to) slices.push({ file: await open(pathOf(name), 'r'), start: from, end: to });
          offset += size;
        }
      } catch (error) {
        closeAll(slices);
        if (isMissingFile(error)) return undefined;
        throw error;
      }
      const stream = Readable.from(readSlices(slices), { objectMode: false, highWaterMark: PIECE });
      return stream.once('close', () => closeAll(slices));
    },
    sweep(used: ReadonlySet<string>): void {
      for (const name of readdirSync(folder)) if (!used.has(name)) rmSync(pathOf(name), { force: true });
    },
  };
};

export type BlobStore = ReturnType<typeof blobStore>;
