import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BUNDLED_CHILD, CHILD } from '../../lib/local/emulators/start.ts';
import { BUNDLED_RUNTIME, buildRuntime } from '../../lib/local/functions/function-process.ts';
import { buildFixture } from '../lib/local/fixture/build-fixture.ts';
import { shareAssembly } from './assembly.ts';
import { announceBrowser } from './find-chromium.ts';
import { makeServiceAddress } from './open-service.ts';
import { share } from './shared.ts';
import { sharePackages } from './shared-packages.ts';
import { makeTemplate } from './template.ts';

/**
 * All test files and commands load mostly the same modules, so each module is compiled once. The runner itself also
 * uses the cache: it passes the folder to the function processes of the shared service.
 */
const shareCompiledCode = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  enableCompileCache(folder);
  return () => rm(folder, { recursive: true, force: true });
};

/** Tests start emulators a hundred times; one file loads in two thirds of the time of 400 modules. Clouds share a runtime. */
const shareEmulators = async (): Promise<() => Promise<void>> => {
  // Within the project, where the bundle finds the packages that stay outside it.
  const local = resolve(import.meta.dirname, '..', '..', '.local');
  await mkdir(local, { recursive: true });
  const folder = await mkdtemp(join(local, 'emulators-'));
  const outfile = join(folder, 'child.cjs');
  await build({
    entryPoints: [CHILD],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    // An ES module that imports `node:http` loads all of undici.
    format: 'cjs',
    target: 'node24',
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'silent',
  });
  process.env[BUNDLED_CHILD] = outfile;
  const runtime = join(folder, 'runtime.mjs');
  await buildRuntime(runtime);
  process.env[BUNDLED_RUNTIME] = runtime;
  return () => rm(folder, { recursive: true, force: true });
};

const STEPS: readonly (() => Promise<() => Promise<void>>)[] = [
  shareCompiledCode,
  shareEmulators,
  shareAssembly,
  sharePackages,
  () => share({ service: makeServiceAddress, fixture: buildFixture, template: makeTemplate }),
];

const ends: (() => Promise<void>)[] = [];

export const globalSetup = async (): Promise<void> => {
  announceBrowser();
  try {
    for (const step of STEPS) ends.push(await step());
  } catch (error) {
    // The runner would wait for the processes of the earlier steps.
    console.error(error);
    await globalTeardown();
    process.exit(1);
  }
};

export const globalTeardown = async (): Promise<void> => {
  for (const end of ends.toReversed()) await end();
};
