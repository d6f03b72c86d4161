import { stat } from 'node:fs/promises';
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

const bundleKind = (variables: Readonly<Record<string, string>>): keyof typeof BUDGETS => {
  if ('MEDIA_BUCKET' in variables) return 'withS3';
  return 'SIGN_IN_ISSUER' in variables ? 'withOpenId' : 'plain';
};

/** The deployed bundles, without source maps. */
export const bundleSize = async (stage: Stage): Promise<readonly Figure[]> =>
  Promise.all(
    stage.names.map(async (name) => {
      const { bundle, variables } = await stage.definition(name, 'http://127.0.0.1:9');
      const { size } = await stat(join(bundle, 'index.mjs'));
      const kind = bundleKind(variables);
      return {
        name: `bundle ${name}`,
        measured: size / KILOBYTE,
        unit: 'KB',
        budget: BUDGETS[kind],
        note: NOTES[kind],
      };
    }),
  );
