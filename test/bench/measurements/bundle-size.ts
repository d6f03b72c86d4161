import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';

const KILOBYTE = 1000;
const BUDGETS = { plain: 260, withOpenId: 300, withS3: 450 } as const;

const NOTES: Readonly<Record<keyof typeof BUDGETS, string>> = {
  plain: 'minified',
  withOpenId: 'minified, with OpenID Connect and Secrets Manager',
  withS3: 'minified, with S3',
};

/** It signs URLs only for clients of OpenRouter, and must start as quickly as functions without S3. */
const LOADS_S3_LATE = 'get-video';

const bundleKind = (name: string, variables: Readonly<Record<string, string>>): keyof typeof BUDGETS => {
  if ('MEDIA_BUCKET' in variables && name !== LOADS_S3_LATE) return 'withS3';
  return 'SIGN_IN_ISSUER' in variables ? 'withOpenId' : 'plain';
};

const STATIC_IMPORT = /(?:from|import)"\.\/([\w-]+\.mjs)"/g;

/** The code that a function loads when it starts: files that it loads later are imported by a call. */
const startSize = async (bundle: string, file: string, seen: Set<string>): Promise<number> => {
  if (seen.has(file)) return 0;
  seen.add(file);
  const code = await readFile(join(bundle, file), 'utf8');
  let size = Buffer.byteLength(code);
  for (const [, imported = ''] of code.matchAll(STATIC_IMPORT))
    size += await startSize(bundle, imported, seen);
  return size;
};

/** The deployed bundles, without source maps. */
export const bundleSize = async (stage: Stage): Promise<readonly Figure[]> =>
  Promise.all(
    stage.names.map(async (name) => {
      const { bundle, variables } = stage.definition(name, 'http://127.0.0.1:9');
      const size = await startSize(bundle, 'index.mjs', new Set());
      const kind = bundleKind(name, variables);
      return {
        name: `bundle ${name}`,
        measured: size / KILOBYTE,
        unit: 'KB',
        budget: BUDGETS[kind],
        note: NOTES[kind],
      };
    }),
  );
