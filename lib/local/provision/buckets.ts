import * as z from 'zod';
import { BucketRules, type RulesOfBuckets } from '../emulators/s3/bucket-rules.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const encryptionSchema = z.object({
  ServerSideEncryptionConfiguration: z.array(
    z.object({
      ServerSideEncryptionByDefault: z.object({
        SSEAlgorithm: z.enum(['AES256', 'aws:kms'], 'the local cloud supports only AES256 and aws:kms'),
      }),
    }),
  ),
});

const bucketSchema = BucketRules.extend({
  /** Checked but ignored: local files are not encrypted. */
  BucketEncryption: encryptionSchema.optional(),
});

/** The buckets of the template by name. */
export const readBuckets = (
  stack: Stack,
  resources = stack.resources(SUPPORTED_TYPES.bucket),
): RulesOfBuckets =>
  Object.fromEntries(
    resources.map((bucket) => [stack.identity(bucket.logicalId).ref, stack.properties(bucket, bucketSchema)]),
  );
