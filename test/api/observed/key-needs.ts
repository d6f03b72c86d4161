import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { AwsCall } from '../../../lib/local/emulators/start.ts';

const SECURITY = join(import.meta.dirname, '..', '..', '..', 'docs', 'security.md');
const statementsSchema = z.array(z.looseObject({ Sid: z.string() }));

/** The policy that docs/security.md asks for, as a key of this account would have it. */
export const documentedKeyPolicy = (account: string): { Version: string; Statement: { Sid: string }[] } => {
  const [, block = ''] =
    /^## Customer-managed KMS key$.*?^```json$(.*?)^```$/ms.exec(readFileSync(SECURITY, 'utf8')) ?? [];
  const Statement = statementsSchema.parse(JSON.parse(block.replaceAll('123456789012', account)));
  return { Version: '2012-10-17', Statement };
};

/** A KMS action that AWS checks against the caller of another service. */
export type KeyNeed = { readonly principal: string; readonly service: string; readonly action: string };

const READ = ['kms:Decrypt'];
const WRITE = ['kms:Decrypt', 'kms:GenerateDataKey'];

/** From AWS's documentation of each service, for resources that are encrypted with a customer's key. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'dynamodb:BatchGetItem': READ,
  'dynamodb:BatchWriteItem': READ,
  'dynamodb:ConditionCheckItem': READ,
  'dynamodb:DeleteItem': READ,
  'dynamodb:DeleteTable': [],
  'dynamodb:DescribeContinuousBackups': [],
  'dynamodb:DescribeTable': [],
  'dynamodb:GetItem': READ,
  'dynamodb:PutItem': READ,
  'dynamodb:ListTables': [],
  'dynamodb:Query': READ,
  // DynamoDB uses the key of the table for its copy, by a grant in the name of the caller.
  'dynamodb:RestoreTableToPointInTime': ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey'],
  'dynamodb:Scan': READ,
  'dynamodb:UpdateItem': READ,
  's3:GetObject': READ,
  's3:PutObject': WRITE,
  's3:DeleteObject': [],
  's3:PutObjectTagging': [],
  's3:DeleteObjectTagging': [],
  's3:ListBucket': [],
  's3:AbortMultipartUpload': [],
  'sqs:SendMessage': WRITE,
  // Lambda receives for a function, with the role of the function.
  'sqs:ReceiveMessage': READ,
  'sqs:DeleteMessage': [],
  'sqs:ChangeMessageVisibility': [],
  'sqs:GetQueueAttributes': [],
  'secretsmanager:GetSecretValue': READ,
};

/** The KMS actions that the role of a caller must allow in addition to the call. */
export const keyNeeds = ({ principal, action }: Pick<AwsCall, 'principal' | 'action'>): KeyNeed[] => {
  const actions = NEEDED[action];
  if (actions === undefined) throw new Error(`nothing is known of the KMS actions that ${action} needs`);
  const service = action.split(':')[0] ?? '';
  return actions.map((needed) => ({ principal, service, action: needed }));
};

export const ALL_KEY_NEEDS: readonly Omit<KeyNeed, 'principal'>[] = [
  'dynamodb',
  's3',
  'sqs',
  'secretsmanager',
].flatMap((service) => WRITE.map((action) => ({ service, action })));

export const describeNeed = ({ principal, service, action }: KeyNeed): string =>
  `${principal} ${action} through ${service}`;
