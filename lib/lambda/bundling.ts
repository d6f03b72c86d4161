import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** esbuild is written in Go. With this limit it takes less memory and a fifth less time than by default. */
export const GO_SETTINGS = { GOGC: 'off', GOMEMLIMIT: '1500MiB' };

/**
 * Bundles all functions in one run. NodejsFunction would start a bundler for each of them, which would take most of the
 * time between `npm start` and the first response.
 */
export const bundleInto = (folder: string): void => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...GO_SETTINGS, ...process.env },
  });
};

const PROJECT = join(import.meta.dirname, '..', '..');
const cacheFolder = (project: string): string =>
  join(project, 'node_modules', '.cache', 'media-generation', 'bundles');

export const KEPT_BUNDLES = cacheFolder(PROJECT);

/** The inputs of the bundles; npm records the installed packages in the last one. */
const SOURCES = [
  'console',
  'functions',
  'lib/lambda',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
] as const;

/** The folder for the bundles of the current sources; undefined if they cannot be kept. */
const currentFolder = (project: string): string | undefined =>
  // Installers other than npm do not record the installed packages.
  SOURCES.every((source) => existsSync(join(project, source)))
    ? join(cacheFolder(project), fingerprint(project))
    : undefined;

/** The bundles of an earlier run, if no source has changed since. */
export const existingBundles = (project = PROJECT): string | undefined => {
  const folder = currentFolder(project);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
};

/** Creates the bundles once per state of the sources; undefined if they cannot be kept. */
export const keptBundles = (make: (folder: string) => void, project = PROJECT): string | undefined => {
  const folder = currentFolder(project);
  if (folder === undefined || existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
  } catch {
    // node_modules may belong to another user.
    return undefined;
  }
  try {
    make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have created the same bundles in the meantime.
    if (!existsSync(folder)) throw error;
  }
  removeOld(folder);
  return folder;
};

const fingerprint = (project: string): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => listFiles(join(project, source)))) {
    const bytes = readFileSync(file);
    hash.update(`${relative(project, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};

const listFiles = (path: string): string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();

/** Another process may still copy from a folder that was replaced recently. */
const REMOVAL_AGE = 60 * 60 * 1000;

const removeOld = (current: string): void => {
  const cache = dirname(current);
  const youngest = Date.now() - REMOVAL_AGE;
  for (const name of readdirSync(cache)) {
    // Another process may remove it at the same time.
    const made = statSync(join(cache, name), { throwIfNoEntry: false });
    if (name !== basename(current) && made !== undefined && made.mtimeMs < youngest)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
};

// As a command: `npm start` bundles in another process while it serves requests.
if (import.meta.main) keptBundles(bundleInto);
