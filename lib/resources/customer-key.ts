import { Aspects, Stack } from 'aws-cdk-lib';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';

/** The ARN of the customer's KMS key; empty where keys of AWS encrypt. */
export type KeySettings = { readonly kmsKeyArn: string };

/** Each use of the key: the service that makes the KMS call for the caller, and the actions that it needs. */
const USES = {
  // DynamoDB decrypts the key of the table for every caller, whether it reads or writes.
  item: ['dynamodb', 'kms:Decrypt'],
  getObject: ['s3', 'kms:Decrypt'],
  // S3 decrypts its bucket key before it uses it, and the parts of an upload before it joins them.
  putObject: ['s3', 'kms:Decrypt', 'kms:GenerateDataKey'],
  receiveMessage: ['sqs', 'kms:Decrypt'],
  sendMessage: ['sqs', 'kms:Decrypt', 'kms:GenerateDataKey'],
  readSecret: ['secretsmanager', 'kms:Decrypt'],
} as const;

/** Lets the grantee use the key through the one service; a call to KMS itself stays refused. */
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
            // One call to KMS for many objects.
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

/** Encrypts everything that the stack stores with the customer's key; the grants of the constructs allow its use. */
export const encryptWithCustomerKey = (stack: Stack, { kmsKeyArn }: KeySettings): void => {
  if (kmsKeyArn !== '') Aspects.of(stack).add({ visit: encryptWith(kmsKeyArn) });
};
