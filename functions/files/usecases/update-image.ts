import { type KeptStorages, requireStorage, storageLimit } from '../../billing/domain/kept-storage.ts';
import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { isKept, NEVER, RETENTION_CLAIM } from '../../platform/domain/retention.ts';
import type { FileChange, FileChanges, FileRepository, FileStore, StoredFile } from '../domain/files.ts';
import { findFile } from './manage-files.ts';

type Change = { readonly name: string | null | undefined; readonly kept: boolean | undefined };

type Dependencies = {
  readonly files: Pick<FileRepository, 'find' | 'markArrived'> & FileChanges;
  readonly store: Pick<FileStore, 'retain'>;
  readonly storages: KeptStorages;
  readonly now: Clock;
  readonly defaultMegabytes: number;
  readonly retentionMs: number;
};

const MAX_TRIES = 5;

/** Renames a generated image, keeps it or releases it. A released image ends after as long a time as a new one. */
export const updateImage = async (
  dependencies: Dependencies,
  action: Action,
  id: string,
  change: Change,
): Promise<StoredFile> => {
  const { files, now } = dependencies;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const file = await findImage(dependencies, action.account, id);
    if (file.unsettled === true) break;
    const at = now();
    const { next, written, storage } = await changed(dependencies, file, change, at);
    if (written === undefined) return file;
    const entry = auditEntry(action, 'file.updated', id, {
      ...(next.title !== file.title && { name: next.title ?? null }),
      ...(storage !== undefined && { kept: isKept(next) }),
    });
    if (!(await files.change(file, written, entry, storage))) continue;
    // If this fails, the hourly clean-up repeats it after the claim.
    if (storage !== undefined) await settle(dependencies, next);
    return next;
  }
  throw new DomainError('concurrent_update', `Image ${id} is being changed by another request; try again.`);
};

const findImage = async (dependencies: Dependencies, account: string, id: string): Promise<StoredFile> => {
  const file = await findFile(dependencies, account, id, 'item_id');
  if (file.output === undefined)
    throw invalidField(
      'item_id',
      `item_id must be a video or a generated image; this file has the purpose ${file.purpose}.`,
    );
  return file;
};

const settle = async ({ files, store }: Dependencies, file: StoredFile): Promise<void> => {
  await store.retain(file);
  await files.markArrived(file);
};

const changed = async (
  { storages, defaultMegabytes, retentionMs }: Dependencies,
  file: StoredFile,
  { name, kept }: Change,
  at: number,
) => {
  const isRenamed = name !== undefined && (name ?? undefined) !== file.title;
  const title = isRenamed ? { title: name } : {};
  const named = { ...file, ...(isRenamed && { title: name ?? undefined }) };
  if (kept === undefined || kept === isKept(file))
    return { next: named, written: isRenamed ? title : undefined, storage: undefined };
  const read = await storages.find(file.account);
  const limitBytes = kept ? storageLimit(read, defaultMegabytes) : undefined;
  const storage = { account: file.account, bytes: kept ? file.bytes : -file.bytes, read, limitBytes };
  requireStorage(storage, 'image');
  const expiresAt = kept ? NEVER : at + retentionMs;
  const written: FileChange = { ...title, expiresAt, claimedUntil: at + RETENTION_CLAIM };
  return { next: { ...named, expiresAt }, written, storage };
};
