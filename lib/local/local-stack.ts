import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { LocalCloud } from './cloud.ts';
import { type DataFolder, dataPath, FolderInUse, openDataFolder, replaceFile } from './data-folder.ts';
import { HOME, startEmulators } from './emulators/start.ts';
import { LocalCloudError } from './errors.ts';

export const OPERATOR = 'operator';

const localStackSchema = z.object({
  outputs: z.record(z.string(), z.string()),
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

/** The stack's outputs, and how to call the emulators. */
export type LocalStack = z.infer<typeof localStackSchema>;

/** Saved for operator commands. */
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
      `${folder} contains no data of npm start: run npm start once, or name a stack with --stack.`,
      { cause },
    );
  }
};

/** Runs a command on the data of a local cloud, starting the emulators unless they are running. */
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
