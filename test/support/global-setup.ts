import { buildFixture } from '../lib/local/fixture/build-fixture.ts';
import { shareAssembly } from './assembly.ts';
import { announceBrowser } from './find-chromium.ts';
import { makeServiceAddress } from './open-service.ts';
import { share } from './shared.ts';

let teardown: readonly (() => Promise<void>)[] = [];

export const globalSetup = async (): Promise<void> => {
  announceBrowser();
  teardown = [await share({ service: makeServiceAddress, fixture: buildFixture }), await shareAssembly()];
};

export const globalTeardown = async (): Promise<void> => {
  for (const end of teardown) await end();
};
