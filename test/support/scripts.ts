import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const PACKAGE = join(import.meta.dirname, '..', '..', 'package.json');

/** The scripts of package.json by name. */
export const { scripts: SCRIPTS } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(PACKAGE, 'utf8')));

/** The file that a script runs with Node, and the arguments that it always gets. */
export const scriptFile = (script: string): { readonly file: string; readonly args: readonly string[] } => {
  const [node, file, ...args] = script.replace(/^exec /, '').split(' ');
  if (node !== 'node' || file === undefined) throw new Error(`${script} does not run a file`);
  return { file, args };
};
