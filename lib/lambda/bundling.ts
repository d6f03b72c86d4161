import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../functions/runtime/environment.ts';

/**
 * Bundles every file of `functions/` in one go. NodejsFunction would start a bundler for each of them, which takes
 * most of the time between `npm start` and the first answer.
 */
export const bundleFunctions = (outdir: string): ((name: FunctionName) => Code) => {
  const folder = join(outdir, 'bundles');
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return (name) => Code.fromAsset(join(folder, name));
};
