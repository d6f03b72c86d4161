import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, configFrom, environmentName, readConfig } from '../../lib/config.ts';

describe('the configuration', () => {
  test('has a default for everything', () => {
    const config = readConfig({});
    assert.equal(config.stackName, 'MediaGeneration');
    assert.equal(config.videoRetentionDays, 7);
    assert.equal(config.deletionProtection, true);
  });

  test('takes text as the environment gives it', () => {
    const config = readConfig({
      videoRetentionDays: '30',
      deletionProtection: 'false',
      upstreamModels: '{"video-3.1-generate-preview":"veo-3.1-generate-preview"}',
      prices: '{"videoSecond":{"video-3.1-generate-preview":"0.40"}}',
      publicBaseUrl: 'https://media.example.com/',
    });
    assert.equal(config.videoRetentionDays, 30);
    assert.equal(config.deletionProtection, false);
    assert.deepEqual(config.upstreamModels, { 'video-3.1-generate-preview': 'veo-3.1-generate-preview' });
    assert.deepEqual(config.prices, {
      currency: 'USD',
      videoSecond: { 'video-3.1-generate-preview': '0.40' },
      image: {},
    });
    assert.equal(config.publicBaseUrl, 'https://media.example.com');
  });

  test('takes the first source that gives a value', () => {
    const config = configFrom(
      (name) => (name === 'stackName' ? 'First' : undefined),
      (name) => (name === 'stackName' ? 'Second' : name === 'throttleBurst' ? 7 : undefined),
    );
    assert.deepEqual([config.stackName, config.throttleBurst], ['First', 7]);
  });

  test('has names for the environment', () => {
    assert.equal(environmentName('videoRetentionDays'), 'MEDIA_GENERATION_VIDEO_RETENTION_DAYS');
  });

  const WRONG: readonly [name: string, value: unknown][] = [
    ['stackName', '1st'],
    ['upstreamBaseUrl', 'ftp://x'],
    ['upstreamBaseUrl', 'nowhere'],
    ['upstreamKeyHeader', 'X Key'],
    ['upstreamModels', 'veo'],
    ['upstreamModels', '{"a":1}'],
    ['upstreamSecretArn', 'arn:aws:s3:::x'],
    ['prices', '{"videoSecond":{"m":0.4}}'],
    ['prices', '{"video":{}}'],
    ['videoRetentionDays', '0'],
    ['videoRetentionDays', 'week'],
    ['videoRetentionDays', ''],
    ['workerConcurrency', 1],
    ['workerTimeoutSeconds', 901],
    ['certificateArn', 'arn:aws:s3:::x'],
    ['alarmEmail', 'nobody'],
    ['deletionProtection', 'no'],
  ];
  for (const [name, value] of WRONG)
    test(`refuses ${name} ${JSON.stringify(value)} in one sentence that names it`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) =>
          error instanceof ConfigError && error.message.includes(name) && !error.message.includes('\n'),
      );
    });

  test('wants a certificate with a domain, and a domain with a certificate', () => {
    assert.throws(() => readConfig({ domainName: 'media.example.com' }), /domainName.*certificateArn/);
    assert.throws(
      () => readConfig({ certificateArn: 'arn:aws:acm:eu-west-1:1:certificate/x' }),
      /domainName/,
    );
  });
});
