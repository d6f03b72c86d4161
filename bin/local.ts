import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What follows is imported late, so that the cache holds it too.
enableCompileCache();

const { environmentName } = await import('../lib/config.ts');
const { issueApiKey } = await import('../lib/operator/api-keys.ts');
const { issueSignInUrl } = await import('../lib/operator/console-sessions.ts');
const { baseUrlOf, tableOf } = await import('../lib/operator/operated-stack.ts');
const { run } = await import('../lib/local/start/run.ts');

const LOCAL_KEY = { account: 'local', name: 'npm start' };

/** Pages of this machine, at any port: whoever serves them could read the key from its file too. */
const LOOPBACK_ORIGINS = ['http', 'https'].flatMap((scheme) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`${scheme}://${host}`, `${scheme}://${host}:*`]),
);

/** What the environment may say of a deployment does not hold here. */
const LOCAL_CONFIG = {
  stackName: 'MediaGeneration',
  upstreamKeyHeader: 'x-goog-api-key',
  sampleGenerator: true,
  upstreamModels: {},
  upstreamSecretArn: '',
  upstreamSecretKeyArn: '',
  reservedConcurrency: {},
  publicBaseUrl: '',
  domainName: '',
  certificateArn: '',
  hostedZoneId: '',
  hostedZoneName: '',
  allowedOrigins: LOOPBACK_ORIGINS,
  account: '',
  region: '',
  tags: {},
  kmsKeyArn: '',
};

/** One machine has no quota to ask for; who sets one tries out how an account with it behaves. */
const LOCAL_CONCURRENCY = { lambdaConcurrencyQuota: 1000, workerConcurrency: 10, webhookConcurrency: 10 };
const isSet = (name: string): boolean => process.env[environmentName(name)] !== undefined;
const concurrency = isSet('lambdaConcurrencyQuota')
  ? {}
  : Object.fromEntries(Object.entries(LOCAL_CONCURRENCY).filter(([name]) => !isSet(name)));

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, upstreamUrl }) => {
      // Deployments and tests validate the template; here that would be half of the start.
      process.env.CDK_VALIDATION = 'false';
      const { createApp } = await import('../lib/app.ts');
      const { app, config } = createApp({
        outdir,
        config: { ...LOCAL_CONFIG, ...concurrency, upstreamBaseUrl: upstreamUrl },
      });
      app.synth();
      return join(outdir, `${config.stackName}.template.json`);
    },
    issueKey: (stack) => issueApiKey(tableOf(stack, 'KeyTableName'), LOCAL_KEY),
    issueSignInUrl: (stack) =>
      issueSignInUrl(tableOf(stack, 'SessionTableName'), baseUrlOf(stack), LOCAL_KEY.account),
  }),
);
