import { join } from 'node:path';
import { type LocalCloud, startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { type LocalStack, saveLocalStack } from '../../lib/local/local-stack.ts';
import { assemblyFor } from '../support/assembly.ts';

export type RunningCloud = {
  readonly cloud: LocalCloud;
  readonly stack: LocalStack;
  readonly stop: () => Promise<void>;
};

/** A local cloud whose data is in `data` of this folder. Commands use its emulators; without it they start their own. */
export const startCloud = async (folder: string): Promise<RunningCloud> => {
  const opened = await openDataFolder(join(folder, 'data'));
  const files = await assemblyFor('http://127.0.0.1:9', folder);
  const resolveSecret = () => 'unused';
  const cloud = await startLocalCloud({ ...files, data: opened, port: 0, schedules: false, resolveSecret });
  const stack = await saveLocalStack(opened, cloud);
  const stop = async () => {
    await cloud.close();
    await opened.release();
  };
  return { cloud, stack, stop };
};
