import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../functions/platform/runtime/environment.ts';
import { buildConsole, CONSOLE_BUNDLE } from './console-build.ts';
import { keptBundles } from './kept-bundles.ts';
import { LICENSES_FILE, licenseNotices } from './license-notices.ts';
import { loadContents, mergeContents, writeContents } from './shipped-packages.ts';

/** Says in an app's context that bundles may be those of an earlier run, if nothing has changed since. */
export const KEEP_BUNDLES = 'keepBundles';

/**
 * Bundles every file of `functions/` in one go. NodejsFunction would start a bundler for each of them, which takes
 * most of the time between `npm start` and the first answer.
 */
export const bundleInto = (folder: string): void => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const contents = mergeContents(loadContents(folder), buildConsole(join(folder, 'get-console', 'console')));
  writeContents(folder, contents);
  for (const [name, packages] of Object.entries(contents.bundles))
    if (name !== CONSOLE_BUNDLE) writeFileSync(join(folder, name, LICENSES_FILE), licenseNotices(packages));
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
