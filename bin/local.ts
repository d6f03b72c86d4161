import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// The rest is imported after this call, so that it is cached, too.
enableCompileCache();

const {
  ConfigError,
  environmentName,
  readConfig,
  readVariables,
  SAMPLE_PRICES,
  UPSTREAM_SECRET,
  upstreamWarnings,
} = await import('../lib/config.ts');
const { issueApiKey, issueSignInUrl } = await import('../lib/operator/administration.ts');
const { stackBaseUrl } = await import('../lib/operator/operated-stack.ts');
const { keptAssembly } = await import('../lib/lambda/kept-assembly.ts');
const { LateBundles } = await import('../lib/lambda/late-bundles.ts');
const { run } = await import('../lib/local/start/run.ts');

/** The console, and the first requests of README and docs. */
const FIRST_USED = ['get-console', 'create-video', 'get-video', 'list-models'];

const LOCAL_KEY = { account: 'local', name: 'npm start' };

/** Pages of this machine at any port: their servers could read the API key from its file anyway. */
const LOOPBACK_ORIGINS = ['http', 'https'].flatMap((scheme) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`${scheme}://${host}`, `${scheme}://${host}:*`]),
);

/** Settings of a deployment in the environment do not apply here. */
const LOCAL_CONFIG = {
  stackName: 'MediaGeneration',
  upstream: '' as const,
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
  permissionsBoundaryArn: '',
  dataEventLog: '',
  // The public address exists only on AWS.
  probe: false,
};

/** A provider on this machine can be tried out; one of a deployment does not know this address. */
const LOCAL_PROVIDER = /"issuer"\s*:\s*"http:\/\//;
const signIn = LOCAL_PROVIDER.test(process.env[environmentName('signIn')] ?? '') ? {} : { signIn: null };

/** Used unless the environment sets a quota, to try out an account with that quota. */
const LOCAL_CONCURRENCY = { lambdaConcurrencyQuota: 1000, workerConcurrency: 10, webhookConcurrency: 10 };
const isSet = (name: string): boolean => process.env[environmentName(name)] !== undefined;
const localConcurrency = (features: readonly string[]) =>
  isSet('lambdaConcurrencyQuota')
    ? {}
    : Object.fromEntries(
        Object.entries(LOCAL_CONCURRENCY).filter(
          ([name]) => !isSet(name) && (name !== 'webhookConcurrency' || features.includes('webhooks')),
        ),
      );

const prices = isSet('prices') ? {} : { prices: SAMPLE_PRICES };

/** The upstreams that the environment names instead of sample generators; each of their videos costs money. */
const readUpstreams = () => {
  const [upstream, upstreams] = ['upstream', 'upstreams'].map((name) => process.env[environmentName(name)]);
  const given = { ...(upstream && { upstream }), ...(upstreams && { upstreams }) };
  const { upstreams: list } = readConfig(given);
  const secret = process.env[UPSTREAM_SECRET] ?? '';
  if (list.length === 0 && secret === '') return undefined;
  if (list.length === 0)
    throw new ConfigError(`${UPSTREAM_SECRET} requires ${environmentName('upstream')}, such as openrouter.`);
  if (secret === '')
    throw new ConfigError(
      `${environmentName('upstream')} requires ${UPSTREAM_SECRET}: the API key of the upstream, or a JSON object with the credential of each upstream under its name.`,
    );
  return {
    settings: { upstreams: list, sampleGenerator: false },
    secret,
    lines: [
      `Upstream ${list.map(({ name, kind }) => (name === kind ? name : `${name} (${kind})`)).join(', ')}: videos and images are real, and it charges for them.`,
      ...upstreamWarnings({ upstreams: list }),
    ],
  };
};

const readFeatures = () => readConfig({ features: process.env[environmentName('features')] }).features;

const orExplain = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
};
const upstreams = orExplain(readUpstreams);
const concurrency = localConcurrency(orExplain(readFeatures));

process.exit(
  await run(process.argv.slice(2), {
    ...(upstreams && { upstreams }),
    synthesize: async ({ outdir, settings }) => {
      // Deployments and tests validate the template; here, validation would take half of the start.
      process.env.CDK_VALIDATION = 'false';
      const config = {
        sampleGenerator: true,
        ...LOCAL_CONFIG,
        ...concurrency,
        ...prices,
        ...signIn,
        ...settings,
      };
      const assembly = keptAssembly(outdir, [config, readVariables(process.env)]);
      const lateCode = new LateBundles(outdir);
      lateCode.prepare(FIRST_USED);
      if (!assembly.isCurrent) {
        const { createApp } = await import('../lib/stack.ts');
        createApp({ outdir, isLocal: true, bundleLate: true, config }).app.synth();
        assembly.keep();
      }
      return { templateFile: join(outdir, `${config.stackName}.template.json`), lateCode };
    },
    issueKey: (stack) => issueApiKey(stack, LOCAL_KEY),
    issueSignInUrl: (stack) => issueSignInUrl(stack, stackBaseUrl(stack), LOCAL_KEY.account),
  }),
);
