import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import type { Config } from '../../lib/config.ts';
import { signInSchema, signInVariables } from '../../lib/sign-in-schema.ts';
import { OWN_NAMES } from './builders/upstream.ts';
import { shared } from './shared.ts';
import { makeTemplate } from './template.ts';

/** Stands in the shared template where the address of each test's own generator goes. */
export const UPSTREAM_PLACEHOLDER = 'http://upstream.test';

/** The stack as it is deployed, with prices, and with less patience so that repairs can be watched. */
export const TEST_CONFIG = {
  upstreams: [
    {
      name: 'sample',
      kind: 'gemini',
      baseUrl: UPSTREAM_PLACEHOLDER,
      keyHeader: 'x-goog-api-key',
      models: OWN_NAMES,
      offers: { lastFrameSeconds: [4, 6, 8] },
      priority: 1,
      weight: 1,
    },
  ],
  prices: { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: { '1K': '0.07' } },
  workerTimeoutSeconds: 60,
  // Test files that share a service send more at once than a new account may run.
  lambdaConcurrencyQuota: 1000,
  // Each worker is a process, which takes longer to start than most steps to do.
  workerConcurrency: 4,
  webhookConcurrency: 10,
  sweepGraceSeconds: 1,
  throttleRequestsPerSecond: 1000,
  throttleBurst: 1000,
  imageThrottleRequestsPerSecond: 1000,
  imageThrottleBurst: 1000,
  publicThrottleRequestsPerSecond: 1000,
  publicThrottleBurst: 1000,
  // Pages of 127.0.0.1 may call, and those of localhost may not.
  allowedOrigins: ['https://app.example.com', 'http://127.0.0.1:*'],
} satisfies Partial<Config>;

const SHARED = 'TEST_ASSEMBLY';
const SAMPLES = 'TEST_SAMPLES';

/** A claim on a fetch that a killed worker leaves behind runs out sooner, so that its repair can be watched. */
export const withShortClaims = (template: string): string =>
  template.replace(/("FETCH_CLAIM_SECONDS": )"\d+"/, '$1"15"');

const policySchema = z.looseObject({
  Statement: z.array(z.looseObject({ Principal: z.optional(z.unknown()) })),
});

/** The policies of roles, which have no principal, may use the table. */
const withTable = (policy: unknown): unknown => {
  const { Statement, ...rest } = policySchema.parse(policy);
  if (Statement.some(({ Principal }) => Principal !== undefined)) return policy;
  const use = { Effect: 'Allow', Action: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] };
  return {
    ...rest,
    Statement: [...Statement, { ...use, Resource: { 'Fn::GetAtt': ['UpstreamState', 'Arn'] } }],
  };
};

const STATE_TABLE = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  },
};

/** A service with these upstreams and the table of their state; to synthesize it would take longer than most tests. */
export const withUpstreams =
  (upstreams: readonly Upstream[]) =>
  (template: string): string =>
    JSON.stringify(
      JSON.parse(template, (key, value) => {
        if (key === 'UPSTREAM_TABLE') return { Ref: 'UpstreamState' };
        if (key === 'UPSTREAMS') return JSON.stringify(upstreams);
        if (key === 'PolicyDocument') return withTable(value);
        return key === 'Resources' ? { ...value, UpstreamState: STATE_TABLE } : value;
      }),
      undefined,
      1,
    );

/** A service in which people sign in with a provider; to synthesize it would take longer than most tests. */
export const withSignIn =
  (setting: z.input<typeof signInSchema>) =>
  (template: string): string => {
    const given = signInSchema.parse(setting);
    const { issuer = '', clientId = '' } = given;
    const variables: Readonly<Record<string, string>> = signInVariables(given, { issuer, clientId });
    return JSON.stringify(
      JSON.parse(template, (key, value) => (typeof value === 'string' ? (variables[key] ?? value) : value)),
      undefined,
      1,
    );
  };

/** A name of this machine stands for the domain, so that the session cookie works without https. */
export const CUSTOM_DOMAIN = '127.0.0.1';

/** A service that also has a domain of its own, under which its paths have no prefix. */
export const withDomain = (template: string): string => {
  const stack = JSON.parse(template);
  const Properties = { DomainName: CUSTOM_DOMAIN };
  stack.Resources.Domain = { Type: 'AWS::ApiGateway::DomainName', Properties };
  return JSON.stringify(stack, undefined, 1);
};

/** A service whose upstream takes as much in one request as it can be configured to. */
export const withLargeRequests = (template: string): string =>
  template.replaceAll(/("UPSTREAM_REQUEST_MEGABYTES": )"\d+"/g, '$1"100"');

/** A service of which nothing has a price, as one without the setting is. */
export const withoutPrices = (template: string): string =>
  template.replaceAll(
    /("PRICES": )"(?:[^"\\]|\\.)*"/g,
    (_, name: string) => name + JSON.stringify('{"currency":"USD","videoSecond":{},"image":{}}'),
  );

/** Loads CDK, which takes a second, only where there is no assembly yet. */
const synthesize = async (outdir: string): Promise<string> =>
  (await import('./synthesize.ts')).synthesizeInto(outdir);

/** Synthesizes once for all test files; each file alone does it for itself. */
export const shareAssembly = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'assembly-'));
  // Not one inside the other: samples come and go while an assembly is copied.
  process.env[SHARED] = await synthesize(join(folder, 'assembly'));
  process.env[SAMPLES] = join(folder, 'samples');
  return () => rm(folder, { recursive: true, force: true });
};

/** Where rendered samples are: the same request is rendered once for all test files. */
export const samplesFolder = (folder: string): string => process.env[SAMPLES] ?? join(folder, 'samples');

const codeSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.looseObject({ Code: z.unknown().optional() }).optional(),
    }),
  ),
});
const readText = (stack: string): Promise<string> => readFile(`${stack}.template.json`, 'utf8');

const readTemplate = async (stack: string) => codeSchema.parse(JSON.parse(await readText(stack)));

/** For a service whose stack differs in more than a few values; its functions have the code of all stacks. */
export const ownAssembly = async (
  config: Partial<Config>,
  folder: string,
  upstreamUrl = UPSTREAM_PLACEHOLDER,
): Promise<{ templateFile: string; assetsFile: string }> => {
  const built = process.env[SHARED] ?? (await synthesize(join(folder, 'assembly')));
  const { Resources: functions } = await readTemplate(built);
  const { webhookConcurrency: _, ...withoutWebhooks } = TEST_CONFIG;
  const base = config.features?.includes('webhooks') === false ? withoutWebhooks : TEST_CONFIG;
  const wish = JSON.stringify({ ...base, ...config });
  const { value: stack, close } = await shared('template', makeTemplate, wish);
  const template = await readTemplate(stack);
  await close();
  for (const [id, { Type, Properties }] of Object.entries(template.Resources))
    if (Type === 'AWS::Lambda::Function' && Properties !== undefined)
      Properties.Code = functions[id]?.Properties?.Code;
  const templateFile = join(folder, 'MediaGeneration.template.json');
  await writeFile(templateFile, JSON.stringify(template).replaceAll(UPSTREAM_PLACEHOLDER, upstreamUrl));
  return { templateFile, assetsFile: `${built}.assets.json` };
};

/** Template and assets for one cloud whose upstream is at the given address. */
export const assemblyFor = async (
  upstreamUrl: string,
  folder: string,
  change: (template: string) => string = (template) => template,
): Promise<{ templateFile: string; assetsFile: string }> => {
  const stack = process.env[SHARED] ?? (await synthesize(join(folder, 'assembly')));
  const template = await readText(stack);
  const templateFile = join(folder, 'MediaGeneration.template.json');
  await writeFile(templateFile, change(template.replaceAll(UPSTREAM_PLACEHOLDER, upstreamUrl)));
  return { templateFile, assetsFile: `${stack}.assets.json` };
};
