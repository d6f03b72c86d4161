import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig, requireDeployable } from '../../lib/config.ts';
import { STREAMING_REGIONS } from '../../lib/regions.ts';
import { section } from '../docs/sections.ts';

const deploy = (settings: object, environment: Record<string, string> = {}) =>
  requireDeployable(readConfig({ upstream: 'openrouter', ...settings }), environment);

describe('a deployment', () => {
  test('accepts every listed region, and an unknown one', () => {
    for (const region of [...STREAMING_REGIONS.regions, '']) deploy({ region });
  });

  const REFUSED = {
    name: 'ConfigError',
    message:
      /^Configuration region: eu-central-2 is not known to stream .* use one of us-east-1, .* allowUnlistedRegion/,
  };

  test('refuses a region without streamed responses, from the setting or from cdk', () => {
    assert.throws(() => deploy({ region: 'eu-central-2' }), REFUSED);
    assert.throws(() => deploy({}, { CDK_DEFAULT_REGION: 'eu-central-2' }), REFUSED);
  });

  test('prefers the setting to the region of the credentials', () => {
    deploy({ region: 'eu-west-1' }, { CDK_DEFAULT_REGION: 'eu-central-2' });
  });

  test('refuses certificates, keys and web ACLs of another region than its own', () => {
    const domainName = 'media.example.com';
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/x';
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/media/0';
    const kmsKeyArn = 'arn:aws:kms:us-east-1:123456789012:key/00000000-0000-0000-0000-000000000000';
    for (const [name, settings] of [
      ['certificateArn', { certificateArn, domainName }],
      ['webAclArn', { webAclArn }],
      ['kmsKeyArn', { kmsKeyArn }],
    ] as const) {
      const message = `Configuration ${name}: must be in the region of the stack, eu-west-1.`;
      assert.throws(() => readConfig({ region: 'eu-west-1', ...settings }), { message });
      assert.throws(() => deploy(settings, { CDK_DEFAULT_REGION: 'eu-west-1' }), { message });
      deploy({ region: 'us-east-1', ...settings }, { CDK_DEFAULT_REGION: 'eu-west-1' });
    }
  });

  test('accepts any region if the operator says so', () => {
    deploy({ region: 'eu-central-2', allowUnlistedRegion: 'true' });
  });
});

test('docs/deploy.md lists the regions and the date of the list', () => {
  const text = section(['docs/deploy.md', '## Regions']);
  const listed = [...text.matchAll(/`([a-z]{2}-[a-z]+-\d)`/g)].map(([, region]) => region);
  assert.deepEqual(listed, STREAMING_REGIONS.regions);
  assert.ok(text.includes(STREAMING_REGIONS.checked));
});
