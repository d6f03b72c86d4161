import type { MemberRepository } from '../../identity/domain/person.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import {
  type DueFile,
  type FileCleanUp,
  type FileRepository,
  type FileStore,
  REMOVED_FILE_LIFETIME,
} from '../domain/files.ts';
import { mayUpload } from '../domain/uploads.ts';

type Expiry = {
  readonly files: Pick<FileRepository, 'markArrived' | 'remove'> & FileCleanUp;
  readonly store: Pick<FileStore, 'has' | 'setAside' | 'discard' | 'retain'>;
  readonly members: MemberRepository;
  readonly logger: Logger;
  readonly now: Clock;
  /** The next run handles the files that are left after this time. */
  readonly stopAt: number;
};

/** Only a few, because files of one account share the item that counts their bytes. */
const CONCURRENCY = 4;

/** Removes expired files and those that never arrived. Storage is freed once no bytes are left and none can arrive. */
export const expireFiles = async (dependencies: Expiry): Promise<void> => {
  const { files, logger, now, stopAt } = dependencies;
  let removed = 0;
  let left = 0;
  try {
    await inParallel(files.due(now()), CONCURRENCY, async (due) => {
      if (now() >= stopAt) {
        left += 1;
        return;
      }
      try {
        if (await expireFile(dependencies, due)) removed += 1;
      } catch (error) {
        logger.error('file not removed', error, { file: due.file.id });
      }
    });
  } finally {
    logger.info('files expired', { removed, left });
  }
};

/** True if the file was removed now. */
const expireFile = async (
  { files, store, members, now }: Expiry,
  { file, removed }: DueFile,
): Promise<boolean> => {
  const forget = async (): Promise<void> => {
    await store.discard(file);
    await files.forget(file);
  };
  if (removed) {
    await forget();
    return false;
  }
  if (file.unsettled === true) {
    await store.retain(file);
    await files.markArrived(file);
    return false;
  }
  const hasBytes = file.arrived || (await store.has(file));
  if (hasBytes && now() < file.expiresAt && (file.arrived || (await mayUpload(members, file)))) {
    await files.markArrived(file);
    return false;
  }
  if (!(await files.remove(file, now() + (hasBytes ? REMOVED_FILE_LIFETIME : 0)))) return false;
  await (hasBytes ? store.setAside(file) : forget());
  return true;
};
