import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import type { ClientConfig } from './client-config.ts';

const ruleSchema = z.object({
  Id: z.string().optional(),
  Prefix: z.string().default(''),
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.number().optional(),
  AbortIncompleteMultipartUpload: z.object({ DaysAfterInitiation: z.number() }).optional(),
});

const bucketSchema = z.object({
  LifecycleConfiguration: z.object({ Rules: z.array(ruleSchema) }).default({ Rules: [] }),
});

type Rule = z.infer<typeof ruleSchema>;

export const provisionBuckets = async (stack: Stack, config: ClientConfig): Promise<void> => {
  const client = new S3Client({ ...config, forcePathStyle: true });
  try {
    await Promise.all(
      stack.resources(SUPPORTED_TYPES.bucket).map(async (resource) => {
        const { LifecycleConfiguration } = stack.properties(resource, bucketSchema);
        await provisionBucket(client, stack.identity(resource.logicalId).ref, LifecycleConfiguration.Rules);
      }),
    );
  } finally {
    client.destroy();
  }
};

const provisionBucket = async (client: S3Client, Bucket: string, rules: readonly Rule[]): Promise<void> => {
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  }
  if (rules.length === 0) return;
  const Rules = rules.map(lifecycleRule);
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
};

const lifecycleRule = ({ Id, Prefix, Status, ExpirationInDays, AbortIncompleteMultipartUpload }: Rule) => ({
  Status,
  Filter: { Prefix },
  ...(Id !== undefined && { ID: Id }),
  ...(ExpirationInDays !== undefined && { Expiration: { Days: ExpirationInDays } }),
  ...(AbortIncompleteMultipartUpload !== undefined && { AbortIncompleteMultipartUpload }),
});
