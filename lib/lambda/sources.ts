import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..', '..');

/** The inputs of the bundles; npm records the installed packages in the last one. */
export const BUNDLE_SOURCES: readonly string[] = [
  'console',
  'functions',
  'lib/lambda',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

/** A hash of the names and contents of files and folders; undefined if one does not exist. */
export const fingerprint = (sources: readonly string[], project = PROJECT): string | undefined => {
  // Installers other than npm do not record the installed packages.
  if (!sources.every((source) => existsSync(join(project, source)))) return undefined;
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(join(project, source)))) {
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
