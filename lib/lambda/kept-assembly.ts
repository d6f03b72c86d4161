import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_SOURCES, fingerprint } from './sources.ts';

/** The inputs of the template. */
const SOURCES = [...BUNDLE_SOURCES, 'bin/local.ts', 'cdk.json', 'lib'];

/** A file in the assembly with the hash of its inputs. It is written last, so that an assembly with it is complete. */
const INPUTS_FILE = 'inputs';

type KeptAssembly = {
  /** Whether the folder has the assembly of the current sources and settings. If not, the folder is empty. */
  readonly isCurrent: boolean;
  /** Called when the stack is synthesized. */
  readonly keep: () => void;
};

/** Keeps the synthesized stack between starts: synthesis takes most of the time of `npm start`. */
export const keptAssembly = (outdir: string, settings: unknown, project?: string): KeptAssembly => {
  const file = join(outdir, INPUTS_FILE);
  const sources = fingerprint(SOURCES, project);
  const inputs =
    sources && createHash('sha256').update(sources).update(JSON.stringify(settings)).digest('hex');
  const isCurrent = inputs !== undefined && existsSync(file) && readFileSync(file, 'utf8') === inputs;
  if (!isCurrent) {
    // Removes the bundles of earlier code.
    rmSync(outdir, { recursive: true, force: true });
    mkdirSync(outdir, { recursive: true });
  }
  return {
    isCurrent,
    keep: () => {
      if (inputs !== undefined) writeFileSync(file, inputs);
    },
  };
};
