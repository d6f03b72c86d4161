import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder of the test file's own that goes after its tests. */
export const temporaryFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};
