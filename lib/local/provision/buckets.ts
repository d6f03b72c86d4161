import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { ClientConfig } from '../emulators/start.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const ruleSchema = z.object({
  Id: z.string().optional(),
  Prefix: z.string().default(''),
  TagFilters: z.array(z.object({ Key: z.string(), Value: z.string() })).default([]),
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.number().optional(),
  AbortIncompleteMultipartUpload: z.object({ DaysAfterInitiation: z.number() }).optional(),
});

const corsRuleSchema = z.object({
  AllowedOrigins: z.array(z.string()),
  AllowedMethods: z.array(z.string()),
  AllowedHeaders: z.array(z.string()).default([]),
  ExposedHeaders: z.array(z.string()).default([]),
  MaxAge: z.number().optional(),
});

const encryptionSchema = z.object({
  ServerSideEncryptionConfiguration: z.array(
    z.object({
      ServerSideEncryptionByDefault: z.object({
        SSEAlgorithm: z.enum(['AES256', 'aws:kms'], 'the local cloud supports only AES256 and aws:kms'),
      }),
    }),
  ),
});

const bucketSchema = z.object({
  /** Checked but ignored: local files are not encrypted. */
  BucketEncryption: encryptionSchema.optional(),
  CorsConfiguration: z.object({ CorsRules: z.array(corsRuleSchema) }).default({ CorsRules: [] }),
  LifecycleConfiguration: z.object({ Rules: z.array(ruleSchema) }).default({ Rules: [] }),
});

type Rule = z.infer<typeof ruleSchema>;
type CorsRule = z.infer<typeof corsRuleSchema>;
type BucketProperties = z.infer<typeof bucketSchema>;

export const provisionBuckets = async (stack: Stack, config: ClientConfig): Promise<void> => {
  const client = new S3Client({ ...config, forcePathStyle: true });
  try {
    await Promise.all(
      stack.resources(SUPPORTED_TYPES.bucket).map(async (resource) => {
        const properties = stack.properties(resource, bucketSchema);
        await provisionBucket(client, stack.identity(resource.logicalId).ref, properties);
      }),
    );
  } finally {
    client.destroy();
  }
};

const provisionBucket = async (
  client: S3Client,
  Bucket: string,
  { LifecycleConfiguration, CorsConfiguration }: BucketProperties,
): Promise<void> => {
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  }
  await provisionCors(client, Bucket, CorsConfiguration.CorsRules);
  if (LifecycleConfiguration.Rules.length === 0) return;
  const Rules = LifecycleConfiguration.Rules.map(lifecycleRule);
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
};

/** Removes the rules of an earlier start if the template has none. */
const provisionCors = async (client: S3Client, Bucket: string, rules: readonly CorsRule[]): Promise<void> => {
  if (rules.length === 0) {
    await client.send(new DeleteBucketCorsCommand({ Bucket }));
    return;
  }
  const CORSRules = rules.map(({ ExposedHeaders, MaxAge, ...rule }) => ({
    ...rule,
    ExposeHeaders: ExposedHeaders,
    ...(MaxAge !== undefined && { MaxAgeSeconds: MaxAge }),
  }));
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
};

const lifecycleRule = ({
  Id,
  Prefix,
  TagFilters,
  Status,
  ExpirationInDays,
  AbortIncompleteMultipartUpload,
}: Rule) => ({
  Status,
  Filter: TagFilters.length === 0 ? { Prefix } : { And: { Prefix, Tags: TagFilters } },
  ...(Id !== undefined && { ID: Id }),
  ...(ExpirationInDays !== undefined && { Expiration: { Days: ExpirationInDays } }),
  ...(AbortIncompleteMultipartUpload !== undefined && { AbortIncompleteMultipartUpload }),
});
