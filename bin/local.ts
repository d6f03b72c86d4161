import { join } from 'node:path';
import { run } from '../lib/local/start/run.ts';

const LOCAL_KEY = { account: 'local', name: 'npm start' };

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) => {
      // CDK takes a second to load: a wrong option is told before that.
      const { createApp } = await import('../lib/synthesize.ts');
      const { app, config } = createApp({ outdir, config: { upstreamBaseUrl: upstreamUrl } });
      app.synth();
      return join(outdir, `${config.stackName}.template.json`);
    },
    issueKey: async (cloud) => {
      const { issueApiKey } = await import('../lib/api-keys.ts');
      const store = { clientConfig: cloud.clientConfig('keys'), tableName: cloud.tableName('KeysTable') };
      return issueApiKey(store, LOCAL_KEY);
    },
  }),
);
