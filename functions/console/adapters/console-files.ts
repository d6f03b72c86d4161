import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** The built console, which is part of the function's bundle. */
export const consoleFiles = (folder: string) => {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    /** Undefined where the build has no such file; a compressed form is none. */
    asset: (name: string, encoding: Encoding): Uint8Array | undefined =>
      names.has(`${name}.br`) ? readFileSync(join(assets, `${name}${SUFFIXES[encoding]}`)) : undefined,
  };
};
