import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../functions/runtime/environment.ts';
import { buildConsole } from './console-build.ts';

/**
 * Bundles every file of `functions/` in one go. NodejsFunction would start a bundler for each of them, which takes
 * most of the time between `npm start` and the first answer.
 */
export const bundleFunctions = (scope: Construct): ((name: FunctionName) => Code) => {
  // Commands such as `cdk list` say that they need no code.
  if (!Stack.of(scope).bundlingRequired) return () => Code.fromInline('// Not bundled.');
  const folder = resolve(Stage.of(scope)?.outdir ?? 'cdk.out', 'bundles');
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  buildConsole(join(folder, 'get-console', 'console'));
  return (name) => Code.fromAsset(join(folder, name));
};
