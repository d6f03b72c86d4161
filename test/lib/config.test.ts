import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_SIZES } from '../../functions/catalogue/domain/image-sizes.ts';
import {
  DEFAULT_REQUEST_MEGABYTES,
  IMAGE_MODEL,
  VIDEO_MODELS,
} from '../../functions/catalogue/domain/models.ts';
import { FEATURES } from '../../functions/platform/domain/features.ts';
import { SUBMIT_TIMEOUT } from '../../functions/upstream/domain/video-generator.ts';
import { ConfigError, configFrom, environmentName, readConfig, readVariables } from '../../lib/config.ts';
import { MIN_WORKER_SECONDS } from '../../lib/config-schema.ts';

describe('the configuration', () => {
  test('has a default for everything', () => {
    const config = readConfig({});
    assert.equal(config.stackName, 'MediaGeneration');
    assert.equal(config.videoRetentionDays, 7);
    assert.equal(config.upstreamRequestMegabytes, DEFAULT_REQUEST_MEGABYTES);
    assert.equal(config.deletionProtection, true);
  });

  test('accepts text from environment variables', () => {
    const config = readConfig({
      videoRetentionDays: '30',
      deletionProtection: 'false',
      prices: '{"videoSecond":{"video-3.1-generate-preview":"0.40"}}',
      publicBaseUrl: 'https://media.example.com/',
    });
    assert.equal(config.videoRetentionDays, 30);
    assert.equal(config.deletionProtection, false);
    assert.deepEqual(config.prices, {
      currency: 'USD',
      videoSecond: { 'video-3.1-generate-preview': '0.40' },
      image: {},
    });
    assert.equal(config.publicBaseUrl, 'https://media.example.com');
  });

  test('takes each value from the first source that has it', () => {
    const config = configFrom(
      (name) => (name === 'stackName' ? 'First' : undefined),
      (name) => (name === 'stackName' ? 'Second' : name === 'throttleBurst' ? 7 : undefined),
    );
    assert.deepEqual([config.stackName, config.throttleBurst], ['First', 7]);
  });

  test('has all features by default, and otherwise those that are named', () => {
    const read = (features: unknown) => readConfig({ features }).features;
    assert.deepEqual(readConfig({}).features, [...FEATURES]);
    assert.deepEqual(read('all'), [...FEATURES]);
    assert.deepEqual([read('[]'), read([])], [[], []]);
    assert.deepEqual(read('people, webhooks'), ['webhooks', 'people']);
    assert.deepEqual(read('["google","google"]'), ['google']);
  });

  test('names the features in the error of another one', () => {
    const message =
      'Configuration features.1: must be all, [] or a list of webhooks, shares, collections, mcp, people, google, responses.';
    assert.throws(() => readConfig({ features: 'mcp,agents' }), { message });
  });

  for (const [feature, given] of [
    ['webhooks', { webhookConcurrency: 2 }],
    ['google', { googleFileUploads: 'false' }],
    ['people', { signIn: '{"issuer":"https://login.example.com","clientId":"media"}' }],
    ['people', { signIn: '{"cognito":{"domainPrefix":"acme"}}', publicBaseUrl: 'https://media.example.com' }],
  ] as const) {
    const [name = ''] = Object.keys(given);
    test(`refuses ${name} ${JSON.stringify(Object.values(given)[0])} without the feature ${feature}`, () => {
      const features = FEATURES.filter((each) => each !== feature);
      const message = `Configuration ${name}: requires the feature ${feature}, which the setting features leaves out.`;
      assert.throws(() => readConfig({ ...given, features }), { message });
      readConfig(given);
    });
  }

  test('can be read again when it is complete, also without features', () => {
    const core = readConfig({ features: [] });
    assert.deepEqual(readConfig(core), core);
  });

  test('accepts how long sessions last without people', () => {
    assert.equal(readConfig({ features: [], signIn: { idleHours: 2 } }).signIn?.idleHours, 2);
  });

  test('leaves no executions to a webhook worker that does not exist', () => {
    const core = { features: [], lambdaConcurrencyQuota: 50 };
    assert.equal(readConfig(core).webhookConcurrency, undefined);
    assert.equal(readConfig({ ...core, workerConcurrency: 28 }).workerConcurrency, 28);
    assert.throws(
      () => readConfig({ ...core, workerConcurrency: 29 }),
      /lower workerConcurrency \(2 or more\), or set/,
    );
  });

  test('has an environment variable for each setting', () => {
    assert.equal(environmentName('videoRetentionDays'), 'MEDIA_GENERATION_VIDEO_RETENTION_DAYS');
  });

  test('rejects misspelled environment variables', () => {
    const known = { MEDIA_GENERATION_VIDEO_RETENTION_DAYS: '7' };
    const others = { OTHER: '', MEDIA_GENERATION_UPSTREAM_SECRET: 'secret' };
    assert.deepEqual(readVariables({ ...others, ...known }), known);
    assert.throws(
      () => readVariables({ MEDIA_GENERATION_VIDEO_RETENTION: '7' }),
      /^ConfigError: The variable MEDIA_GENERATION_VIDEO_RETENTION is not a setting of this service\.$/,
    );
  });

  const WRONG: readonly [name: string, value: unknown][] = [
    ['stackName', '1st'],
    ['stackName', 'S'.repeat(25)],
    ['upstreamRequestMegabytes', 0],
    ['upstreamRequestMegabytes', 101],
    ['builtInAliases', 'sora-2'],
    ['builtInAliases', '{}'],
    ['builtInAliases', '[""]'],
    ['modelAliases', 'sora'],
    ['modelAliases', '{"two words":"video-3.1-generate-preview"}'],
    ['upstreamSecretArn', 'arn:aws:s3:::x'],
    ['prices', '{"videoSecond":{"video-3.1-generate-preview":0.4}}'],
    ['prices', '{"currency":"usd"}'],
    ['prices', '{"currency":"EURO"}'],
    ['prices', '{"video":{}}'],
    ['videoRetentionDays', '0'],
    ['videoRetentionDays', 'week'],
    ['fileRetentionDays', '31'],
    ['keptStorageMegabytes', '-1'],
    ['fileStorageMegabytes', '19'],
    ['videoRetentionDays', ''],
    ['workerConcurrency', 1],
    ['workerTimeoutSeconds', 901],
    ['workerTimeoutSeconds', 59],
    ['maxQueueMinutes', 1],
    ['maxQueueMinutes', 361],
    ['accountRequestsPerSecond', -1],
    ['imageThrottleRequestsPerSecond', 0],
    ['imageThrottleBurst', 'many'],
    ['waf', 'maybe'],
    ['wafRequestsPerAddress', 9],
    ['wafRequestsPerAddress', 2_000_000_001],
    ['webAclArn', 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/media/0'],
    ['reservedConcurrency', '{"create-video":-1}'],
    ['reservedConcurrency', '{"create-video":1.5}'],
    ['reservedConcurrency', '{"video-worker":9}'],
    ['reservedConcurrency', '{"webhook-worker":9}'],
    ['webhookConcurrency', '1'],
    ['lambdaConcurrencyQuota', 0],
    ['apiGatewayAccountRole', 'maybe'],
    ['upstreamSecretKeyArn', 'arn:aws:s3:::x'],
    ['certificateArn', 'arn:aws:s3:::x'],
    ['terminationProtection', 'perhaps'],
    ['account', '1234'],
    ['region', 'us_east_1'],
    ['region', 'us-east'],
    ['tags', 'team=media'],
    ['tags', '["team"]'],
    ['tags', '{"team":1}'],
    ['dataEventLog', 'Acme_Trail'],
    ['dataEventLog', 'true!'],
    ['permissionsBoundaryArn', 'media-boundary'],
    ['permissionsBoundaryArn', 'arn:aws:iam::123456789012:role/media'],
    ['kmsKeyArn', 'alias/media'],
    ['kmsKeyArn', 'arn:aws:kms:us-east-1:123456789012:alias/media'],
    ['kmsKeyArn', 'arn:aws:kms:us-east-1:123456789012:key/media'],
    ['allowedOrigins', 'https://app.example.com'],
    ['allowedOrigins', '["app.example.com"]'],
    ['allowedOrigins', '["https://app.example.com/"]'],
    ['allowedOrigins', '["https://app.example.com/page"]'],
    ['allowedOrigins', '["https://APP.example.com"]'],
    ['allowedOrigins', '["https://app.example.com:443"]'],
    ['allowedOrigins', '["https://user@app.example.com"]'],
    ['allowedOrigins', '["https://*.example.com"]'],
    ['allowedOrigins', '["https://app.example.com:*"]'],
    ['allowedOrigins', '["http://localhost.example.com:*"]'],
    ['allowedOrigins', '["*"]'],
    ['allowedOrigins', '["null"]'],
    ['allowedOrigins', '["file://"]'],
    ['allowedOrigins', '["https://a.example.com https://b.example.com"]'],
    ['alarmEmail', 'nobody'],
    ['deletionProtection', 'no'],
    ['features', 'webhooks,shares,webhook'],
    ['features', '["batches"]'],
    ['features', '{}'],
    ['features', 7],
    ['features', ''],
  ];
  for (const [name, value] of WRONG)
    test(`rejects ${name} ${JSON.stringify(value)} in one sentence that names the setting`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) =>
          error instanceof ConfigError && error.message.includes(name) && !error.message.includes('\n'),
      );
    });

  const certificateArn = 'arn:aws:acm:eu-west-1:1:certificate/x';
  const zone = { hostedZoneId: 'Z123', hostedZoneName: 'example.com' };
  const TOGETHER: readonly [missing: RegExp, given: Record<string, unknown>][] = [
    [
      /modelAliases: must have at most 30 names/,
      {
        modelAliases: Object.fromEntries(
          Array.from({ length: 31 }, (_, number) => [`house-${number}`, 'video-3.1-generate-preview']),
        ),
      },
    ],
    [/builtInAliases: must be a list of built-in aliases/, { builtInAliases: ['sora-*', 'sorra-2'] }],
    [/builtInAliases: must be a list of built-in aliases/, { builtInAliases: ['*-2'] }],
    [/defaultModel: must name one of .* for video/, { defaultModel: { video: 'sora-2' } }],
    [
      /defaultModel: must name models that/,
      { upstream: 'interactions', defaultModel: { video: 'video-3.1-generate-preview' } },
    ],
    [/modelAliases: must name one of .* for each alias/, { modelAliases: { mine: 'sora-2' } }],
    [
      /modelAliases: must not use a model of this service as an alias/,
      { modelAliases: { 'video-3.1-generate-preview': 'video-3.1-fast-generate-preview' } },
    ],
    [/domainName: requires certificateArn or hostedZoneId/, { domainName: 'media.example.com' }],
    [/certificateArn: requires domainName/, { certificateArn }],
    [/hostedZoneId: requires domainName/, zone],
    [/wafLogs: requires waf/, { wafLogs: true }],
    [
      /waf: must not be combined with webAclArn/,
      { waf: true, webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/media/0' },
    ],
    [
      /hostedZoneId: must be set together with hostedZoneName/,
      { ...zone, domainName: 'media.example.com', hostedZoneName: '' },
    ],
    [
      /hostedZoneId: must be set together with hostedZoneName/,
      { ...zone, domainName: 'media.example.com', hostedZoneId: '' },
    ],
    [/domainName: must be in the zone example.com/, { ...zone, domainName: 'media.example.org' }],
    [/domainName: must be in the zone example.com/, { ...zone, domainName: 'badexample.com' }],
    [
      /upstreamSecretKeyArn: requires upstreamSecretArn/,
      { upstreamSecretKeyArn: 'arn:aws:kms:eu-west-1:1:key/x' },
    ],
  ];
  for (const [missing, given] of TOGETHER)
    test(`rejects incomplete settings: ${missing.source}`, () => {
      assert.throws(() => readConfig(given), missing);
    });

  test('accepts a domain with a certificate, a hosted zone, or both', () => {
    for (const given of [{ certificateArn }, zone, { ...zone, certificateArn }])
      assert.equal(readConfig({ domainName: 'media.example.com', ...given }).domainName, 'media.example.com');
    assert.equal(readConfig({ domainName: 'example.com', ...zone }).domainName, 'example.com');
  });

  test('accepts origins as browsers send them, and any port of this machine', () => {
    const origins = [
      'https://app.example.com',
      'http://10.0.0.7:8080',
      'http://[::1]:*',
      'https://localhost:*',
    ];
    assert.deepEqual(readConfig({ allowedOrigins: JSON.stringify(origins) }).allowedOrigins, origins);
  });

  const UNKNOWN: readonly [name: string, prices: unknown, accepted: readonly string[]][] = [
    [
      'videoSecond.sora-2',
      { videoSecond: { 'video-3.1-generate-preview': '0.40', 'sora-2': '0.15' } },
      VIDEO_MODELS,
    ],
    [`videoSecond.${IMAGE_MODEL}`, { videoSecond: { [IMAGE_MODEL]: '0.15' } }, VIDEO_MODELS],
    ['image.1k', { image: { '1k': '0.039' } }, IMAGE_SIZES],
    ['image.constructor', { image: { constructor: '1' } }, IMAGE_SIZES],
  ];
  for (const [name, prices, accepted] of UNKNOWN)
    test(`rejects a price of ${name} and lists the valid names`, () => {
      assert.throws(() => readConfig({ prices }), {
        name: 'ConfigError',
        message: `Configuration prices.${name}: the name must be one of ${accepted.join(', ')}.`,
      });
    });

  test('accepts prices of all or some models and sizes', () => {
    const priced = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '0.1']));
    for (const prices of [
      { currency: 'EUR', videoSecond: priced(VIDEO_MODELS), image: priced(IMAGE_SIZES) },
      { currency: 'USD', videoSecond: {}, image: priced(IMAGE_SIZES.slice(1, 2)) },
    ])
      assert.deepEqual(readConfig({ prices: JSON.stringify(prices) }).prices, prices);
  });

  test('gives the worker enough time for a submit and its writes', () => {
    assert.ok(MIN_WORKER_SECONDS * 1000 >= SUBMIT_TIMEOUT + 15_000);
    assert.equal(
      readConfig({ workerTimeoutSeconds: MIN_WORKER_SECONDS }).workerTimeoutSeconds,
      MIN_WORKER_SECONDS,
    );
    assert.throws(
      () => readConfig({ workerTimeoutSeconds: MIN_WORKER_SECONDS - 1 }),
      /^ConfigError: Configuration workerTimeoutSeconds: must be at least 60, because a submit takes up to 40 seconds\.$/,
    );
  });
});
