import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Puts a file in place in one step: nobody ever reads half of it. */
export const writeAtomically = async (path: string, content: string | Buffer) => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content);
  await rename(draft, path);
};

const KEPT_MILLISECONDS = 2 * 24 * 3600 * 1000;
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
  return found !== undefined && Date.now() - found.mtimeMs > KEPT_MILLISECONDS;
};

/** Takes out what has outlived the upstream's two days. */
export const removeOldFiles = async (folders: CacheFolders) => {
  for (const folder of Object.values(folders)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (await isOld(path)) await rm(path, { recursive: true, force: true });
    }
  }
};

/** Makes the folders and puts the typefaces in. */
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
    // Another generator of the same folder may be drawing with it.
    const bytes = await readFile(fileURLToPath(import.meta.resolve(typeface)));
    await writeAtomically(join(fonts, basename(typeface)), bytes);
  }
  return folders;
};
