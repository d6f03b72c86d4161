import type { FileRepository, FileStore } from '../domain/file-ports.ts';
import type { Clock } from '../domain/ports.ts';
import { findFile } from './find-file.ts';

type Dependencies = {
  readonly files: Pick<FileRepository, 'find' | 'remove'>;
  readonly store: Pick<FileStore, 'setAside'>;
  readonly now: Clock;
};

/** The bytes go first: if the rest breaks off, the file is still there to be deleted again. */
export const deleteFile = async (dependencies: Dependencies, account: string, id: string): Promise<void> => {
  const { files, store, now } = dependencies;
  const file = await findFile(dependencies, account, id);
  await store.setAside(file);
  await files.remove(file, now());
};
