import type {
  DueFile,
  FileCleanUp,
  FileRepository,
  FileStore,
} from '../../../functions/domain/file-ports.ts';
import { fileKey, removedFileKey, type StoredFile, uploadIsOverAt } from '../../../functions/domain/files.ts';

type Row = { file: StoredFile; removed: boolean; dueAt: number };

/** The table of files with its conditions, and the sum of each account's bytes. */
export class MemoryFiles implements FileRepository, FileCleanUp {
  readonly rows = new Map<string, Row>();
  readonly #used = new Map<string, number>();

  readonly used = (account: string): number => this.#used.get(account) ?? 0;

  async create(file: StoredFile, limitBytes: number) {
    const used = this.used(file.account);
    if (used > limitBytes - file.bytes) return { created: false, usedBytes: used } as const;
    this.rows.set(file.id, { file, removed: false, dueAt: uploadIsOverAt(file) });
    this.#count(file, file.bytes);
    return { created: true } as const;
  }

  async find(account: string, id: string) {
    const row = this.#present(id);
    return row?.file.account === account ? row.file : undefined;
  }

  page = () => Promise.reject(new Error('no use case lists files'));

  async noteArrival({ id }: StoredFile) {
    const row = this.#present(id);
    if (row === undefined) return false;
    this.rows.set(id, { ...row, file: { ...row.file, arrived: true }, dueAt: row.file.expiresAt });
    return true;
  }

  async remove(file: StoredFile, now: number) {
    const row = this.#present(file.id);
    if (row === undefined) return false;
    const end = uploadIsOverAt(file);
    if (now >= end) this.rows.delete(file.id);
    else this.rows.set(file.id, { ...row, removed: true, dueAt: end });
    this.#count(file, -file.bytes);
    return true;
  }

  async *due(before: number): AsyncGenerator<DueFile> {
    for (const { file, removed, dueAt } of [...this.rows.values()])
      if (dueAt <= before) yield { file, removed };
  }

  async forget({ id }: StoredFile) {
    this.rows.delete(id);
  }

  #present(id: string): Row | undefined {
    const row = this.rows.get(id);
    return row?.removed === true ? undefined : row;
  }

  #count({ account }: StoredFile, bytes: number): void {
    this.#used.set(account, this.used(account) + bytes);
  }
}

const keyOf = ({ account, id }: StoredFile): string => fileKey(account, id);

/** The bucket, as far as files go: which keys it has. */
export const memoryFileStore = (objects: Set<string>): FileStore => {
  const discard: FileStore['discard'] = async (file) => void objects.delete(keyOf(file));
  return {
    put: async (file) => void objects.add(keyOf(file)),
    has: async (file) => objects.has(keyOf(file)),
    setAside: async (file) => {
      if (!objects.has(keyOf(file))) return;
      objects.add(removedFileKey(keyOf(file)));
      await discard(file);
    },
    discard,
    signUpload: async (file) => ({ url: keyOf(file), headers: {}, expiresAt: file.createdAt + 1 }),
    signDownload: async (file) => keyOf(file),
  };
};
