import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from './atomic-write.ts';
import { HOME, type LocalCloud } from './cloud.ts';
import { type DataFolder, dataPath, openDataFolder } from './data-folder.ts';
import { startEmulators } from './emulators/start.ts';
import { FolderInUse } from './folder-lock.ts';
import { LocalCloudError } from './local-cloud-error.ts';

const OPERATOR = 'operator';

const tableAccessSchema = z.object({
  tableName: z.string(),
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

/** A table of the local cloud, and how to reach it. */
export type TableAccess = z.infer<typeof tableAccessSchema>;

type StoreEntry = 'keyStore' | 'sessionStore';

/** Saves where a command finds a table of this run. */
export const saveTableAccess = async (
  data: DataFolder,
  cloud: LocalCloud,
  table: string,
  entry: StoreEntry = 'keyStore',
): Promise<TableAccess> => {
  const store = { tableName: cloud.tableName(table), clientConfig: cloud.clientConfig(OPERATOR) };
  await replaceFile(data.path(entry), JSON.stringify(store));
  return store;
};

export const readTableAccess = async (
  folder: string,
  entry: StoreEntry = 'keyStore',
): Promise<TableAccess> => {
  try {
    return tableAccessSchema.parse(JSON.parse(await readFile(dataPath(folder, entry), 'utf8')));
  } catch (cause) {
    throw new LocalCloudError(
      `${folder} holds no data of npm start: start it once, or name a stack with --stack.`,
      {
        cause,
      },
    );
  }
};

/** Works on a table of a local cloud, whether it runs or not. */
export const withLocalTable = async (
  folder: string,
  act: (store: TableAccess) => Promise<void>,
  entry: StoreEntry = 'keyStore',
): Promise<void> => {
  const saved = await readTableAccess(folder, entry);
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
    const clientConfig = { ...saved.clientConfig, endpoint: emulators.endpoint };
    await act({ tableName: saved.tableName, clientConfig });
  } finally {
    await emulators.close();
    await data.release();
  }
};
