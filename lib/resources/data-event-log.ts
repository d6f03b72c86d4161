import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { AUDIT_DAYS } from '../../functions/identity/domain/audit.ts';
import { type Config, NEW_BUCKET } from '../config.ts';
import type { Resources } from './resources.ts';
import { keepOnceCreated } from './retention.ts';

type Logged = Pick<Resources, 'audit' | 'charges' | 'media'>;

/**
 * CloudTrail's record of who read and wrote the audit log and the charges, and of every transfer from and to the media
 * bucket. No role of the service can change it.
 */
export class DataEventLog extends Construct {
  readonly bucketName: string;

  constructor(scope: Construct, id: string, config: Config, logged: Logged) {
    super(scope, id);
    const stack = Stack.of(this);
    // A fixed name, because the policy of the bucket names the trail, which needs the bucket.
    const trailName = `${stack.stackName}-data-events`;
    const trailArn = stack.formatArn({ service: 'cloudtrail', resource: 'trail', resourceName: trailName });
    const own = config.dataEventLog === NEW_BUCKET ? this.#newBucket(config, trailArn) : undefined;
    this.bucketName = own?.bucketName ?? config.dataEventLog;
    const trail = new CfnTrail(this, 'Trail', {
      trailName,
      s3BucketName: this.bucketName,
      isLogging: true,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      enableLogFileValidation: true,
      ...(config.kmsKeyArn === '' ? {} : { kmsKeyId: config.kmsKeyArn }),
      advancedEventSelectors: selectors(logged),
    });
    if (own?.policy !== undefined) trail.node.addDependency(own.policy);
  }

  #newBucket(config: Config, trailArn: string): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: keepOnceCreated(config),
      lifecycleRules: [{ id: 'events', expiration: Duration.days(AUDIT_DAYS) }],
    });
    const allow = (action: string, resource: string, conditions: Record<string, string> = {}) =>
      bucket.addToResourcePolicy(
        new PolicyStatement({
          effect: Effect.ALLOW,
          principals: [new ServicePrincipal('cloudtrail.amazonaws.com')],
          actions: [action],
          resources: [resource],
          conditions: { StringEquals: { 'aws:SourceArn': trailArn, ...conditions } },
        }),
      );
    allow('s3:GetBucketAcl', bucket.bucketArn);
    allow('s3:PutObject', bucket.arnForObjects(`AWSLogs/${Stack.of(this).account}/*`), {
      's3:x-amz-acl': 'bucket-owner-full-control',
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'This bucket is a log; its files have digests that show whether they were changed.',
    });
    return bucket;
  }
}

type Selectors = CfnTrail.AdvancedEventSelectorProperty[];

const selectors = ({ audit, charges, media }: Logged): Selectors => [
  {
    name: 'Audit log and charges',
    fieldSelectors: [
      { field: 'eventCategory', equalTo: ['Data'] },
      { field: 'resources.type', equalTo: ['AWS::DynamoDB::Table'] },
      { field: 'resources.ARN', equalTo: [audit.table.tableArn, charges.table.tableArn] },
    ],
  },
  {
    name: 'Objects of the media bucket',
    fieldSelectors: [
      { field: 'eventCategory', equalTo: ['Data'] },
      { field: 'resources.type', equalTo: ['AWS::S3::Object'] },
      { field: 'resources.ARN', startsWith: [media.bucket.arnForObjects('')] },
    ],
  },
];
