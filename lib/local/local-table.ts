import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from './atomic-write.ts';
import { HOME, type LocalCloud } from './cloud.ts';
import { type DataFolder, dataPath, openDataFolder } from './data-folder.ts';
import { startEmulators } from './emulators/start.ts';
import { FolderInUse } from './folder-lock.ts';
import { LocalCloudError } from './local-cloud-error.ts';
import type { ClientConfig } from './provision/client-config.ts';

/** A table of the local cloud, and how to reach it. */
export type TableAccess = { readonly clientConfig: ClientConfig; readonly tableName: string };

const OPERATOR = 'operator';

const noteSchema = z.object({
  tableName: z.string(),
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

/** Leaves a note where the key command finds the table of this run. */
export const noteTable = async (data: DataFolder, cloud: LocalCloud, table: string): Promise<TableAccess> => {
  const store = { tableName: cloud.tableName(table), clientConfig: cloud.clientConfig(OPERATOR) };
  await replaceFile(data.path('keyStore'), JSON.stringify(store));
  return store;
};

export const readNote = async (folder: string): Promise<z.infer<typeof noteSchema>> => {
  try {
    return noteSchema.parse(JSON.parse(await readFile(dataPath(folder, 'keyStore'), 'utf8')));
  } catch (cause) {
    throw new LocalCloudError(
      `${folder} holds no data of npm start: start it once, or name a stack with --stack.`,
      {
        cause,
      },
    );
  }
};

/** Works on the keys of a local cloud, whether it runs or not. */
export const withLocalTable = async (
  folder: string,
  act: (store: TableAccess) => Promise<void>,
): Promise<void> => {
  const note = await readNote(folder);
  const data = await openDataFolder(folder).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
  if (data === undefined) return act(note);
  const emulators = await startEmulators({
    ...HOME,
    dataDir: data.path('emulators'),
    masterSecret: data.masterSecret,
    secrets: {},
  });
  try {
    const clientConfig = { ...note.clientConfig, endpoint: emulators.endpoint };
    await act({ tableName: note.tableName, clientConfig });
  } finally {
    await emulators.close();
    await data.release();
  }
};
