import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BUNDLE_SOURCES, fingerprint, PROJECT } from './sources.ts';

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

const cacheFolder = (project: string): string =>
  join(project, 'node_modules', '.cache', 'media-generation', 'bundles');

export const KEPT_BUNDLES = cacheFolder(PROJECT);

/** The folder for the bundles of the current sources; undefined if they cannot be kept. */
const currentFolder = (project: string): string | undefined => {
  const current = fingerprint(BUNDLE_SOURCES, project);
  return current === undefined ? undefined : join(cacheFolder(project), current);
};

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
