import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFixture } from '../lib/local/fixture/build-fixture.ts';
import { shareAssembly } from './assembly.ts';
import { announceBrowser } from './find-chromium.ts';
import { makeServiceAddress } from './open-service.ts';
import { share } from './shared.ts';
import { makeTemplate } from './template.ts';

/** Test files and the commands that they run load mostly the same modules: each is compiled once for all. */
const shareCompiledCode = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => rm(folder, { recursive: true, force: true });
};

let teardown: readonly (() => Promise<void>)[] = [];

export const globalSetup = async (): Promise<void> => {
  announceBrowser();
  teardown = [
    await share({
      service: makeServiceAddress,
      fixture: buildFixture,
      template: makeTemplate,
      browser: () => import('./browser.ts').then(({ makeBrowser }) => makeBrowser()),
    }),
    await shareAssembly(),
    await shareCompiledCode(),
  ];
};

export const globalTeardown = async (): Promise<void> => {
  for (const end of teardown) await end();
};
