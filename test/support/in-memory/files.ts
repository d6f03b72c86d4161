import { fileKey, removedFileKey } from '../../../functions/files/domain/file-keys.ts';
import {
  type DueFile,
  type FileCleanUp,
  type FileDeletion,
  type FileRepository,
  type FileStore,
  type StoredFile,
  uploadEndsAt,
} from '../../../functions/files/domain/files.ts';
import type { AuditEntry } from '../../../functions/identity/domain/audit.ts';

type Row = { file: StoredFile; removed: boolean; dueAt: number };

/** The table of files with its conditions, and the sum of each account's bytes. */
export class MemoryFiles implements FileRepository, FileCleanUp, FileDeletion {
  readonly rows = new Map<string, Row>();
  readonly #used = new Map<string, number>();

  readonly used = (account: string): number => this.#used.get(account) ?? 0;

  async create(file: StoredFile, limitBytes: number) {
    const used = this.used(file.account);
    if (used > limitBytes - file.bytes) return { created: false, usedBytes: used } as const;
    this.rows.set(file.id, { file, removed: false, dueAt: uploadEndsAt(file) });
    this.#count(file, file.bytes);
    return { created: true } as const;
  }

  async find(account: string, id: string) {
    const row = this.#present(id);
    return row?.file.account === account ? row.file : undefined;
  }

  page = () => Promise.reject(new Error('no use case lists files'));

  async markArrived({ id }: StoredFile) {
    const row = this.#present(id);
    if (row === undefined) return false;
    this.rows.set(id, { ...row, file: { ...row.file, arrived: true }, dueAt: row.file.expiresAt });
    return true;
  }

  async remove({ id }: StoredFile, keptUntil: number) {
    const row = this.#present(id);
    if (row === undefined) return false;
    this.rows.set(id, { ...row, removed: true, dueAt: keptUntil });
    return true;
  }

  readonly entries: AuditEntry[] = [];

  async delete(file: StoredFile, keptUntil: number, entry: AuditEntry) {
    const isRemoved = await this.remove(file, keptUntil);
    if (isRemoved) this.entries.push(entry);
    return isRemoved;
  }

  async *due(before: number): AsyncGenerator<DueFile> {
    for (const { file, removed, dueAt } of [...this.rows.values()])
      if (dueAt <= before) yield { file, removed };
  }

  async forget(file: StoredFile) {
    if (this.rows.delete(file.id)) this.#count(file, -file.bytes);
  }

  change({ id, account }: StoredFile, content: Partial<StoredFile>): void {
    const row = this.#present(id);
    if (row === undefined) return;
    this.rows.set(id, { ...row, file: { ...row.file, ...content } });
    this.#used.set(account, this.used(account) + (content.bytes ?? row.file.bytes) - row.file.bytes);
  }

  #present(id: string): Row | undefined {
    const row = this.rows.get(id);
    return row?.removed === true ? undefined : row;
  }

  #count({ account }: StoredFile, bytes: number): void {
    this.#used.set(account, this.used(account) + bytes);
  }
}

const objectKey = ({ account, id }: Pick<StoredFile, 'account' | 'id'>): string => fileKey(account, id);

/** The bucket, as far as files go: which keys it has; `empty` is what holds the place of a file that was removed. */
export const memoryFileStore = (objects: Set<string>): FileStore => {
  return {
    put: async (file) => void objects.add(objectKey(file)),
    has: async (file) => objects.has(objectKey(file)),
    setAside: async (file) => {
      if (objects.delete(objectKey(file))) objects.add(removedFileKey(objectKey(file)));
      objects.add(`${objectKey(file)} empty`);
    },
    discard: async (file) => {
      for (const key of [objectKey(file), `${objectKey(file)} empty`, removedFileKey(objectKey(file))])
        objects.delete(key);
    },
    retain: async () => {},
    signUpload: async (file) => ({ url: objectKey(file), headers: {}, expiresAt: file.createdAt + 1 }),
    signDownload: async (file) => objectKey(file),
  };
};
