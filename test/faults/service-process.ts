/** `npm start` with the tests' stack, to be killed from outside. */
import { issueApiKey, KEY_TABLE } from '../../lib/api-keys.ts';
import { run } from '../../lib/local/start/run.ts';
import { synthesizeInto, TEST_CONFIG } from '../support/assembly.ts';

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) =>
      `${synthesizeInto(outdir, { ...TEST_CONFIG, upstreamBaseUrl: upstreamUrl })}.template.json`,
    keyTable: KEY_TABLE,
    issueKey: (store) => issueApiKey(store, { account: 'tester', name: 'test' }),
  }),
);
