import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
const folderIn = (project: string): string =>
  join(project, 'node_modules', '.cache', 'media-generation', 'bundles');

export const KEPT_BUNDLES = folderIn(PROJECT);

/** All that bundles are made of; the last is where npm writes down what it has installed. */
const SOURCES = [
  'console',
  'functions',
  'lib/lambda',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
] as const;

/** Somebody may still copy from a folder that another start has just replaced. */
const REMOVAL_AGE = 60 * 60 * 1000;

const filesOf = (path: string): string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();

const fingerprintOf = (project: string): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesOf(join(project, source)))) {
    const bytes = readFileSync(file);
    hash.update(`${relative(project, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};

const removeOld = (folder: string, current: string): void => {
  const youngest = Date.now() - REMOVAL_AGE;
  for (const name of readdirSync(folder)) {
    // Another start may be removing it too.
    const made = statSync(join(folder, name), { throwIfNoEntry: false });
    if (name !== current && made !== undefined && made.mtimeMs < youngest)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
};

const makeWhole = (place: string, make: (folder: string) => void): void => {
  const unfinished = `${place}.${process.pid}`;
  try {
    make(unfinished);
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Two that start at once make the same, and the first one's stay.
    if (!existsSync(place)) throw error;
  }
};

/** Makes the bundles once for each state of the sources; undefined where nothing can be kept. */
export const keptBundles = (make: (folder: string) => void, project = PROJECT): string | undefined => {
  // Another installer than npm leaves no word of what it has installed.
  if (!SOURCES.every((source) => existsSync(join(project, source)))) return undefined;
  const folder = folderIn(project);
  const name = fingerprintOf(project);
  const place = join(folder, name);
  if (existsSync(place)) return place;
  try {
    mkdirSync(`${place}.${process.pid}`, { recursive: true });
  } catch {
    // Installed by somebody else, perhaps, for whom alone it is.
    return undefined;
  }
  makeWhole(place, make);
  removeOld(folder, name);
  return place;
};
