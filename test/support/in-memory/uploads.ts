import { setImmediate } from 'node:timers/promises';
import type { StoredFile } from '../../../functions/files/domain/files.ts';
import {
  type Chunk,
  type ChunkStore,
  chunkKey,
  receivedBytes,
  type Upload,
  type UploadContent,
  type UploadRepository,
} from '../../../functions/files/domain/uploads.ts';
import type { MemoryFiles } from './files.ts';

/** Uploads in the table of files, with the conditions of their writes. */
export class MemoryUploads implements UploadRepository {
  readonly #files: MemoryFiles;
  readonly #rest = new Map<string, Omit<Upload, 'file'>>();

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  async create({ file, ...rest }: Upload, limitBytes: number) {
    const result = await this.#files.create(file, limitBytes);
    if (result.created) this.#rest.set(file.id, rest);
    return result;
  }

  async find(account: string, id: string) {
    const row = this.#files.rows.get(id);
    const rest = this.#rest.get(id);
    const isThere = row !== undefined && !row.removed && row.file.account === account;
    return isThere && rest !== undefined ? { ...rest, file: row.file } : undefined;
  }

  async addChunk({ file }: Upload, chunk: Chunk) {
    const rest = this.#open(file, chunk.offset);
    if (rest === undefined) return false;
    this.#rest.set(file.id, { ...rest, chunks: [...rest.chunks, chunk] });
    return true;
  }

  async settle(upload: Upload, { lastSha256, ...content }: UploadContent) {
    const rest = this.#open(upload.file, receivedBytes(upload));
    if (rest === undefined) return false;
    this.#rest.set(upload.file.id, { ...rest, lastSha256 });
    this.#files.change(upload.file, content);
    return true;
  }

  /** Checked and written without a pause, like a conditional write. */
  #open({ id }: StoredFile, received: number): Omit<Upload, 'file'> | undefined {
    const row = this.#files.rows.get(id);
    const rest = this.#rest.get(id);
    if (row === undefined || row.removed || row.file.sha256 !== undefined) return undefined;
    return rest !== undefined && receivedBytes(rest) === received ? rest : undefined;
  }
}

export const memoryChunks = (objects: Map<string, Uint8Array>): ChunkStore => ({
  put: async (file, chunk, bytes) => void objects.set(chunkKey(file, chunk), bytes),
  read: async (file, chunk) => objects.get(chunkKey(file, chunk)) ?? Promise.reject(new Error('no object')),
  discard: async (file, chunks) => {
    // A caller that does not wait goes on before.
    await setImmediate();
    for (const chunk of chunks) objects.delete(chunkKey(file, chunk));
  },
});
