import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';

const KILOBYTE = 1000;
const BUDGETS = { plain: 260, withS3: 450 } as const;

/** The deployed bundles, without source maps. */
export const bundleSize = async (stage: Stage): Promise<readonly Figure[]> =>
  Promise.all(
    stage.names.map(async (name) => {
      const { bundle, variables } = await stage.definition(name, 'http://127.0.0.1:9');
      const { size } = await stat(join(bundle, 'index.mjs'));
      const withS3 = 'MEDIA_BUCKET' in variables;
      return {
        name: `bundle ${name}`,
        measured: size / KILOBYTE,
        unit: 'KB',
        budget: withS3 ? BUDGETS.withS3 : BUDGETS.plain,
        note: withS3 ? 'minified, with S3' : 'minified',
      };
    }),
  );
