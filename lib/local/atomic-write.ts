import { open, rename, rm } from 'node:fs/promises';

/** Replaces a private file as a whole: a reader, or a start after a crash, finds the old text or the new. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.new`;
  try {
    const file = await open(beside, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};
