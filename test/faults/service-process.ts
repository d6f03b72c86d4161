/** `npm start` with the tests' stack, to be killed from outside. */

import { readFile, writeFile } from 'node:fs/promises';
import { issueApiKey, KEY_TABLE } from '../../lib/keys/api-keys.ts';
import { run } from '../../lib/local/start/run.ts';
import { TEST_CONFIG, withShortClaims } from '../support/assembly.ts';
import { synthesizeInto } from '../support/synthesize.ts';

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) => {
      const stack = synthesizeInto(outdir, { ...TEST_CONFIG, upstreamBaseUrl: upstreamUrl });
      const file = `${stack}.template.json`;
      await writeFile(file, withShortClaims(await readFile(file, 'utf8')));
      return file;
    },
    keyTable: KEY_TABLE,
    issueKey: (store) => issueApiKey(store, { account: 'tester', name: 'test' }),
  }),
);
