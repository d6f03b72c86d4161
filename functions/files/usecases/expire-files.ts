import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import { REMOVED_FILE_LIFETIME } from '../../videos/domain/schedule.ts';
import type { DueFile, FileCleanUp, FileRepository, FileStore } from '../domain/files.ts';

type Dependencies = {
  readonly files: Pick<FileRepository, 'noteArrival' | 'remove'> & FileCleanUp;
  readonly store: Pick<FileStore, 'has' | 'setAside' | 'discard'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

/** Few at once: files of one account share the item that counts their bytes. */
const AT_ONCE = 4;

/**
 * Removes files whose time is over and those that never arrived. Storage is given back once nothing of a file is left
 * and nothing of it can come.
 */
export const expireFiles = async (dependencies: Dependencies): Promise<void> => {
  const { files, logger, now, stopAt } = dependencies;
  let removed = 0;
  let left = 0;
  try {
    await inParallel(files.due(now()), AT_ONCE, async (due) => {
      if (now() >= stopAt) left += 1;
      else if (await settle(dependencies, due)) removed += 1;
    });
  } finally {
    logger.info('files expired', { removed, left });
  }
};

const settle = async (dependencies: Dependencies, due: DueFile): Promise<boolean> => {
  try {
    return await settleOne(dependencies, due);
  } catch (error) {
    dependencies.logger.error('file not removed', error, { file: due.file.id });
    return false;
  }
};

const settleOne = async (
  { files, store, now }: Dependencies,
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
  const hasBytes = file.arrived || (await store.has(file));
  if (hasBytes && now() < file.expiresAt) {
    await files.noteArrival(file);
    return false;
  }
  if (!(await files.remove(file, now() + (hasBytes ? REMOVED_FILE_LIFETIME : 0)))) return false;
  await (hasBytes ? store.setAside(file) : forget());
  return true;
};
