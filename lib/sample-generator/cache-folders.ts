import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Readers see the whole file or none, even with concurrent writers. */
export const writeAtomically = async (path: string, content: string | Buffer) => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content);
  await rename(draft, path);
};

const MAX_AGE_MILLISECONDS = 2 * 24 * 3600 * 1000;
const TYPEFACES = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
];

export type CacheFolders = {
  readonly pictures: string;
  readonly clips: string;
  readonly jobs: string;
  readonly operations: string;
};

const isOld = async (path: string) => {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > MAX_AGE_MILLISECONDS;
};

/** Like the upstream, keeps files for two days. */
export const removeOldFiles = async (folders: CacheFolders) => {
  for (const folder of Object.values(folders)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (await isOld(path)) await rm(path, { recursive: true, force: true });
    }
  }
};

export const prepareCache = async (root: string): Promise<CacheFolders> => {
  const folders = {
    pictures: join(root, 'pictures'),
    clips: join(root, 'clips'),
    jobs: join(root, 'jobs'),
    operations: join(root, 'operations'),
  };
  const fonts = join(root, 'fonts');
  for (const folder of [fonts, ...Object.values(folders)]) await mkdir(folder, { recursive: true });
  for (const typeface of TYPEFACES) {
    // Written atomically, since another generator may use the same folder.
    const bytes = await readFile(fileURLToPath(import.meta.resolve(typeface)));
    await writeAtomically(join(fonts, basename(typeface)), bytes);
  }
  return folders;
};
