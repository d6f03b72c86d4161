import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { Aspects, Stack } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { Config } from '../config.ts';

/** For each use of the key: the service that calls KMS for the caller, and the KMS actions. */
const USES = {
  // DynamoDB decrypts the table's key for reads and writes.
  item: ['dynamodb', 'kms:Decrypt'],
  getObject: ['s3', 'kms:Decrypt'],
  // S3 decrypts its bucket key, and the parts of a multipart upload when it joins them.
  putObject: ['s3', 'kms:Decrypt', 'kms:GenerateDataKey'],
  receiveMessage: ['sqs', 'kms:Decrypt'],
  sendMessage: ['sqs', 'kms:Decrypt', 'kms:GenerateDataKey'],
  readSecret: ['secretsmanager', 'kms:Decrypt'],
} as const;

/** Lets the grantee use the key through one service, but not by calling KMS directly. */
export const allowKey = (
  scope: IConstruct,
  keyArn: string,
  use: keyof typeof USES,
  grantee: IGrantable,
): void => {
  if (keyArn === '') return;
  const [service, ...actions] = USES[use];
  IamGrant.addToPrincipal({
    grantee,
    actions,
    resourceArns: [keyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': `${service}.${Stack.of(scope).region}.amazonaws.com` },
    },
  });
};

const encryptWith =
  (keyArn: string) =>
  (resource: IConstruct): void => {
    if (resource instanceof CfnTable)
      resource.sseSpecification = { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: keyArn };
    if (resource instanceof CfnBucket)
      resource.bucketEncryption = {
        serverSideEncryptionConfiguration: [
          {
            // Makes one KMS call serve many objects.
            bucketKeyEnabled: true,
            serverSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: keyArn },
          },
        ],
      };
    if (resource instanceof CfnQueue) {
      resource.sqsManagedSseEnabled = undefined;
      resource.kmsMasterKeyId = keyArn;
    }
    if (resource instanceof CfnTopic) resource.kmsMasterKeyId = keyArn;
    if (resource instanceof CfnLogGroup || resource instanceof CfnSecret) resource.kmsKeyId = keyArn;
  };

/** Encrypts all data of the stack with the customer's key; the constructs' grants allow its use. */
export const encryptWithCustomerKey = (stack: Stack, { kmsKeyArn }: Config): void => {
  if (kmsKeyArn !== '') Aspects.of(stack).add({ visit: encryptWith(kmsKeyArn) });
};
