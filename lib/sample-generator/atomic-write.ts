import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Puts a file in place in one step: nobody ever reads half of it. */
export const writeAtomically = async (path: string, content: string | Buffer) => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content);
  await rename(draft, path);
};
