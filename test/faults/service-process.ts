/** `npm start` with the tests' stack, to be killed from outside. */

import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { run } from '../../lib/local/start/run.ts';
import { issueApiKey, issueSignInUrl } from '../../lib/operator/administration.ts';
import { stackBaseUrl, stackTable } from '../../lib/operator/operated-stack.ts';
import { assemblyFor, withShortClaims } from '../support/assembly.ts';

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, settings }) => {
      await mkdir(outdir);
      const { templateFile, assetsFile } = await assemblyFor(
        String(settings.upstreamBaseUrl),
        outdir,
        withShortClaims,
      );
      // The code must lie beside the template, which is there already.
      await cp(dirname(assetsFile), outdir, { recursive: true, force: false });
      return templateFile;
    },
    issueKey: (stack) => issueApiKey(stackTable(stack, 'KeyTableName'), { account: 'tester', name: 'test' }),
    issueSignInUrl: (stack) =>
      issueSignInUrl(stackTable(stack, 'SessionTableName'), stackBaseUrl(stack), 'tester'),
  }),
);
