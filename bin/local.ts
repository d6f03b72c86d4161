import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache();

const { run } = await import('../lib/local/start/run.ts');

const LOCAL_KEY = { account: 'local', name: 'npm start' };

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) => {
      // Deployments and tests validate the template; here that would be half of the start.
      process.env.CDK_VALIDATION = 'false';
      const { createApp } = await import('../lib/synthesize.ts');
      const { app, config } = createApp({ outdir, config: { upstreamBaseUrl: upstreamUrl } });
      app.synth();
      return join(outdir, `${config.stackName}.template.json`);
    },
    issueKey: async (store) => {
      const { issueApiKey } = await import('../lib/api-keys.ts');
      return issueApiKey(store, LOCAL_KEY);
    },
  }),
);
