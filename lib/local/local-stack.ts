import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { LocalCloud } from './cloud.ts';
import { type DataFolder, dataPath, FolderInUse, openDataFolder, replaceFile } from './data-folder.ts';
import { HOME, startEmulators } from './emulators/start.ts';
import { LocalCloudError } from './errors.ts';

const OPERATOR = 'operator';

const localStackSchema = z.object({
  outputs: z.record(z.string(), z.string()),
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

/** What commands need to know of a local cloud: the outputs of its stack, and how to reach what they name. */
export type LocalStack = z.infer<typeof localStackSchema>;

/** Saves it for the commands of the time after. */
export const saveLocalStack = async (data: DataFolder, cloud: LocalCloud): Promise<LocalStack> => {
  const stack = { outputs: cloud.outputs, clientConfig: cloud.clientConfig(OPERATOR) };
  await replaceFile(data.path('stack'), JSON.stringify(stack));
  return stack;
};

export const readLocalStack = async (folder: string): Promise<LocalStack> => {
  try {
    return localStackSchema.parse(JSON.parse(await readFile(dataPath(folder, 'stack'), 'utf8')));
  } catch (cause) {
    throw new LocalCloudError(
      `${folder} holds no data of npm start: start it once, or name a stack with --stack.`,
      { cause },
    );
  }
};

/** Works on the data of a local cloud, whether it runs or not. */
export const withLocalStack = async (
  folder: string,
  act: (stack: LocalStack) => Promise<void>,
): Promise<void> => {
  const saved = await readLocalStack(folder);
  const data = await openDataFolder(folder).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
  if (data === undefined) return act(saved);
  const emulators = await startEmulators({
    ...HOME,
    dataDir: data.path('emulators'),
    masterSecret: data.masterSecret,
    secrets: {},
  });
  try {
    await act({ ...saved, clientConfig: { ...saved.clientConfig, endpoint: emulators.endpoint } });
  } finally {
    await emulators.close();
    await data.release();
  }
};
