import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { type Config, readConfig } from '../../../lib/config.ts';
import { ALTERNATIVES, CONFIGURATIONS, EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { readPolicies } from '../../support/policies.ts';
import { synthesizedWith } from '../../support/template.ts';
import { templateWith } from './synthesized-template.ts';

const artifactSchema = z.looseObject({
  environment: z.string(),
  properties: z.looseObject({ terminationProtection: z.boolean().optional(), tags: z.unknown() }),
});
const manifestSchema = z.object({ artifacts: z.looseObject({ MediaGeneration: artifactSchema }) });

/** The stack as the CDK command sees it. */
const artifactWith = async (config: Partial<Config>): Promise<z.infer<typeof artifactSchema>> => {
  const manifest = join(dirname(await synthesizedWith(config)), 'manifest.json');
  return manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8'))).artifacts.MediaGeneration;
};

test('a stack has termination protection by default', async () => {
  assert.equal((await artifactWith({})).properties.terminationProtection, true);
  const open = await artifactWith(ALTERNATIVES);
  assert.notEqual(open.properties.terminationProtection, true);
});

test('a stack uses the configured account and region, or those of the credentials', async () => {
  assert.equal((await artifactWith({})).environment, 'aws://unknown-account/unknown-region');
  assert.equal((await artifactWith(EVERYTHING)).environment, 'aws://123456789012/eu-west-1');
});

test('a KMS key of another region is refused', () => {
  const kmsKeyArn = `arn:aws:kms:us-east-1:123456789012:key/mrk-${'0'.repeat(32)}`;
  assert.equal(readConfig({ region: 'us-east-1', kmsKeyArn }).kmsKeyArn, kmsKeyArn);
  assert.throws(
    () => readConfig({ region: 'eu-west-1', kmsKeyArn }),
    /^ConfigError: Configuration kmsKeyArn: /,
  );
});

test('functions that do not store images have no permission for files', async () => {
  const readRole = async (config: Partial<Config>): Promise<string> => {
    const stack = await synthesizedWith(config);
    const policies = await readPolicies({
      templateFile: `${stack}.template.json`,
      assetsFile: `${stack}.assets.json`,
    });
    const [, role] = [...policies].find(([id]) => id.startsWith('GenerateImages')) ?? [];
    return JSON.stringify(role);
  };
  assert.match(await readRole({}), /s3:PutObject/);
  assert.doesNotMatch(await readRole(ALTERNATIVES), /s3:|FilesTable/);
});

test('stored images are kept as long as videos', async () => {
  const expiry = (days: number) => new RegExp(`"ExpirationInDays":${days},"Id":"files"`);
  const week = JSON.stringify(await templateWith(CONFIGURATIONS.default));
  assert.match(week, expiry(31));
  assert.match(week, /"IMAGE_RETENTION_SECONDS":"604800"/);
  const tenYears = JSON.stringify(await templateWith(EVERYTHING));
  assert.match(tenYears, expiry(3651));
  assert.match(tenYears, /"IMAGE_RETENTION_SECONDS":"315360000"/);
});

describe('tags', () => {
  test('are set on the stack, which CloudFormation passes on to its resources, and are not part of the template', async () => {
    const { properties } = await artifactWith(EVERYTHING);
    assert.deepEqual(properties.tags, { application: 'MediaGeneration', ...EVERYTHING.tags });
    assert.doesNotMatch(JSON.stringify(await templateWith(EVERYTHING)), /media \+ co/);
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, position) => [`tag${position}`, 'x']));
  const REFUSED: readonly [why: string, tags: Record<string, string>, message: RegExp][] = [
    ['an empty name', { '': 'x' }, /tags\.: the name must have 1 to 128 characters/],
    ['a long name', { ['n'.repeat(129)]: 'x' }, /the name must have 1 to 128 characters/],
    ['a long value', { team: 'v'.repeat(257) }, /tags\.team: the value must have at most 256 characters/],
    [
      'a strange character in a name',
      { 'te&m': 'x' },
      /tags\.te&m: the name may contain only letters, digits/,
    ],
    [
      'a strange character in a value',
      { team: 'a,b' },
      /tags\.team: the value may contain only letters, digits/,
    ],
    ['a name that AWS keeps', { 'AWS:team': 'x' }, /tags\.AWS:team: the name must not begin with "aws:"/],
    ['the name of our own', { Application: 'x' }, /tags\.Application: the stack sets the tag "application"/],
    [
      'names that differ in case only',
      { team: 'x', Team: 'y' },
      /tags\.Team: another name differs only in case/,
    ],
    [
      'more than a resource can have',
      many(50),
      /tags: must have at most 49 tags in addition to "application"/,
    ],
  ];
  for (const [why, tags, message] of REFUSED)
    test(`are refused with ${why}`, () => assert.throws(() => readConfig({ tags }), message));

  test('may reach the limits of AWS', () => {
    const tags = { ...many(47), ['n'.repeat(128)]: 'v'.repeat(256), 'Kosten Stelle': '' };
    assert.deepEqual(readConfig({ tags }).tags, tags);
  });
});
