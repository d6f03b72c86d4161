import type { Clock, Logger } from '../../platform/domain/ports.ts';
import { REMOVED_FILE_LIFETIME } from '../../videos/domain/schedule.ts';
import type { FileRepository, FileStore } from '../domain/file-ports.ts';
import { findFile } from './find-file.ts';

type Dependencies = {
  readonly files: Pick<FileRepository, 'find' | 'remove'>;
  readonly store: Pick<FileStore, 'setAside'>;
  readonly logger: Logger;
  readonly now: Clock;
};

/** The item goes first: it decides what exists. If the rest breaks off, the clean-up removes the bytes where they are. */
export const deleteFile = async (dependencies: Dependencies, account: string, id: string): Promise<void> => {
  const { files, store, logger, now } = dependencies;
  const file = await findFile(dependencies, account, id);
  if (!(await files.remove(file, now() + REMOVED_FILE_LIFETIME))) return;
  await store.setAside(file).catch((error: unknown) => {
    logger.error('file not removed', error, { file: id });
  });
};
