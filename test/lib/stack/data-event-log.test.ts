import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVERYTHING, EXISTING } from '../../../lib/evidence/configurations.ts';
import { findResources, sharedTemplate, templateWith } from './synthesized-template.ts';

const template = await templateWith(EVERYTHING);
const existing = await templateWith(EXISTING);

const trailIn = (chosen: typeof template) => {
  const [[, trail] = assert.fail('no trail'), ...others] = findResources(chosen, 'AWS::CloudTrail::Trail');
  assert.deepEqual(others, []);
  return trail.Properties;
};

describe('the log of data events', () => {
  test('is off by default', async () => {
    const { Resources } = await sharedTemplate();
    const types = Object.values(Resources).map(({ Type }) => Type);
    assert.equal(types.includes('AWS::CloudTrail::Trail'), false);
  });

  test('has the events of the audit log, the charges and the media bucket, and no others', () => {
    for (const { AdvancedEventSelectors, EventSelectors } of [trailIn(template), trailIn(existing)]) {
      assert.equal(EventSelectors, undefined);
      // Logical ids end in eight characters of a hash.
      const text = JSON.stringify(AdvancedEventSelectors).replaceAll(/(Table|Bucket)[0-9A-F]{8}/g, '$1');
      const selectors: { FieldSelectors: unknown }[] = JSON.parse(text);
      assert.deepEqual(
        selectors.map(({ FieldSelectors }) => FieldSelectors),
        [
          [
            { Field: 'eventCategory', Equals: ['Data'] },
            { Field: 'resources.type', Equals: ['AWS::DynamoDB::Table'] },
            {
              Field: 'resources.ARN',
              Equals: [{ 'Fn::GetAtt': ['AuditTable', 'Arn'] }, { 'Fn::GetAtt': ['ChargesTable', 'Arn'] }],
            },
          ],
          [
            { Field: 'eventCategory', Equals: ['Data'] },
            { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
            {
              Field: 'resources.ARN',
              StartsWith: [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': ['MediaBucket', 'Arn'] }, '/']] }],
            },
          ],
        ],
      );
    }
  });

  test('goes to an encrypted bucket that is kept, and that only this trail can write to', () => {
    const [[id, bucket] = assert.fail('no bucket')] = findResources(template, 'AWS::S3::Bucket').filter(
      ([name]) => name.startsWith('DataEvents'),
    );
    assert.deepEqual(trailIn(template).S3BucketName, { Ref: id });
    assert.equal(bucket.DeletionPolicy, 'RetainExceptOnCreate');
    assert.ok(bucket.Properties.BucketEncryption);
    assert.equal(trailIn(template).KMSKeyId, EVERYTHING.kmsKeyArn);
    const [[, policy] = assert.fail('no policy')] = findResources(template, 'AWS::S3::BucketPolicy').filter(
      ([name]) => name.startsWith('DataEvents'),
    );
    const { Statement } = Object(policy.Properties.PolicyDocument);
    const allowed = Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    assert.equal(allowed.length, 2);
    for (const { Principal, Condition } of allowed) {
      assert.deepEqual(Principal, { Service: 'cloudtrail.amazonaws.com' });
      assert.match(JSON.stringify(Condition.StringEquals['aws:SourceArn']), /MediaGeneration-data-events/);
    }
  });

  test('goes to an existing bucket if one is named', () => {
    assert.equal(trailIn(existing).S3BucketName, 'acme-cloudtrail');
  });
});
