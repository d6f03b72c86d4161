/** `npm start` with the tests' stack, to be killed from outside. */

import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { issueApiKey, KEY_TABLE } from '../../lib/keys/api-keys.ts';
import { issueSignInUrl, SESSION_TABLE } from '../../lib/keys/console-sessions.ts';
import { run } from '../../lib/local/start/run.ts';
import { assemblyFor, withShortClaims } from '../support/assembly.ts';

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) => {
      await mkdir(outdir);
      const { templateFile, assetsFile } = await assemblyFor(upstreamUrl, outdir, withShortClaims);
      // The code must lie beside the template, which is there already.
      await cp(dirname(assetsFile), outdir, { recursive: true, force: false });
      return templateFile;
    },
    keyTable: KEY_TABLE,
    issueKey: (store) => issueApiKey(store, { account: 'tester', name: 'test' }),
    sessionTable: SESSION_TABLE,
    issueSignInUrl: (store, baseUrl) => issueSignInUrl(store, baseUrl, 'tester'),
  }),
);
