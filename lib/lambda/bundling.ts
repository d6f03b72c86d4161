import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../functions/runtime/environment.ts';
import { buildConsole } from './console-build.ts';
import { keptBundles } from './kept-bundles.ts';

/** Says in an app's context that bundles may be those of an earlier run, if nothing has changed since. */
export const KEEP_BUNDLES = 'keepBundles';

/**
 * Bundles every file of `functions/` in one go. NodejsFunction would start a bundler for each of them, which takes
 * most of the time between `npm start` and the first answer.
 */
const bundleInto = (folder: string): void => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  buildConsole(join(folder, 'get-console', 'console'));
};

const madeAnew = (folder: string): string => {
  bundleInto(folder);
  return folder;
};

export const bundleFunctions = (scope: Construct): ((name: FunctionName) => Code) => {
  // Commands such as `cdk list` say that they need no code.
  if (!Stack.of(scope).bundlingRequired) return () => Code.fromInline('// Not bundled.');
  const kept = scope.node.tryGetContext(KEEP_BUNDLES) === true ? keptBundles(bundleInto) : undefined;
  const folder = kept ?? madeAnew(resolve(Stage.of(scope)?.outdir ?? 'cdk.out', 'bundles'));
  return (name) => Code.fromAsset(join(folder, name));
};
