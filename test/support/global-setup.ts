import { mkdtemp, rm } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFixture } from '../lib/local/fixture/build-fixture.ts';
import { shareAssembly } from './assembly.ts';
import { announceBrowser } from './find-chromium.ts';
import { makeServiceAddress } from './open-service.ts';
import { share } from './shared.ts';
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

let teardown: readonly (() => Promise<void>)[] = [];

export const globalSetup = async (): Promise<void> => {
  announceBrowser();
  const removeCompiledCode = await shareCompiledCode();
  teardown = [
    await share({
      service: makeServiceAddress,
      fixture: buildFixture,
      template: makeTemplate,
      browser: () => import('./browser.ts').then(({ makeBrowser }) => makeBrowser()),
    }),
    await shareAssembly(),
    removeCompiledCode,
  ];
};

export const globalTeardown = async (): Promise<void> => {
  for (const end of teardown) await end();
};
