import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

export const write = (project: string, file: string, text: string): void => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
};

/** A folder with the given files, for code that reads the sources of a project. */
export const createProject = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const project = await temporaryFolder('project');
  for (const [file, text] of Object.entries(files)) write(project, file, text);
  return project;
};
