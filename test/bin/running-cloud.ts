import { join } from 'node:path';
import { after } from 'node:test';
import { type LocalCloud, startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { type LocalStack, saveLocalStack } from '../../lib/local/local-stack.ts';
import { assemblyFor } from '../support/assembly.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type RunningCloud = {
  readonly cloud: LocalCloud;
  readonly stack: LocalStack;
  readonly stop: () => Promise<void>;
};

const folder = await temporaryFolder('running-cloud');
/** For the option `--data`. Commands use the emulators of the cloud; without it they start their own. */
export const data = join(folder, 'data');

const start = async (): Promise<RunningCloud> => {
  const opened = await openDataFolder(data);
  const files = await assemblyFor('http://127.0.0.1:9', folder);
  const resolveSecret = () => 'unused';
  const cloud = await startLocalCloud({ ...files, data: opened, port: 0, schedules: false, resolveSecret });
  const stack = await saveLocalStack(opened, cloud);
  return {
    cloud,
    stack,
    stop: async () => {
      running = undefined;
      await cloud.close();
      await opened.release();
    },
  };
};

let running: Promise<RunningCloud> | undefined;
after(async () => (await running)?.stop());

/** The local cloud that the files of a process share; each uses accounts of its own. */
export const openCloud = (): Promise<RunningCloud> => {
  running ??= start();
  return running;
};
