import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { hasCode } from '../../errors.ts';

export type Blob = { readonly name: string; readonly size: number };

const PIECE = 256 * 1024;

type Slice = { readonly file: FileHandle; readonly start: number; readonly end: number };

async function* readSlices(slices: readonly Slice[]): AsyncGenerator<Buffer> {
  for (const { file, start, end } of slices) {
    for (let at = start; at < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, end - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error('A stored file is shorter than its record says.');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** A nearly full disk writes part of a buffer without an error. */
const writeWhole = async (file: FileHandle, piece: Buffer): Promise<void> => {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
};

const closeAll = (slices: readonly Slice[]): void => {
  for (const { file } of slices) file.close().catch(() => {});
};

/** Blobs that no row of the database refers to are removed at start. */
export const blobStore = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const blobPath = (name: string): string => join(folder, name);
  const remove = async (blobs: readonly Blob[]): Promise<void> => {
    await Promise.all(blobs.map(({ name }) => rm(blobPath(name), { force: true })));
  };

  return {
    remove,
    /** Runs `fill` on a new file; removes the file if it fails. */
    async write<T>(fill: (write: (piece: Buffer) => Promise<unknown>) => Promise<T>) {
      const name = randomUUID();
      const file = await open(blobPath(name), 'wx');
      try {
        const filled = await fill((piece) => writeWhole(file, piece));
        return { name, filled };
      } catch (error) {
        await rm(blobPath(name), { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },
    /** Opens all files first, so that a deletion does not interrupt the download; undefined if one is missing. */
    async read(blobs: readonly Blob[], start: number, end: number): Promise<Readable | undefined> {
      const slices: Slice[] = [];
      try {
        let offset = 0;
        for (const { name, size } of blobs) {
          const from = Math.max(start - offset, 0);
          const to = Math.min(end - offset, size);
          if (from < to) slices.push({ file: await open(blobPath(name), 'r'), start: from, end: to });
          offset += size;
        }
      } catch (error) {
        closeAll(slices);
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
      const stream = Readable.from(readSlices(slices), { objectMode: false, highWaterMark: PIECE });
      return stream.once('close', () => closeAll(slices));
    },
    sweep(used: ReadonlySet<string>): void {
      for (const name of readdirSync(folder)) if (!used.has(name)) rmSync(blobPath(name), { force: true });
    },
  };
};

export type BlobStore = ReturnType<typeof blobStore>;
