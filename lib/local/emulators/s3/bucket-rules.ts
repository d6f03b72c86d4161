import * as z from 'zod';

/** S3 allows one `*` in an origin or header. */
const pattern = z.string().regex(/^[^*]*\*?[^*]*$/, 'may contain only one *');

const CorsRule = z.object({
  AllowedOrigins: z.array(pattern).min(1),
  AllowedMethods: z.array(z.enum(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])).min(1),
  AllowedHeaders: z.array(pattern).default([]),
  ExposedHeaders: z.array(z.string()).default([]),
  MaxAge: z.number().optional(),
});
export type CorsRule = z.infer<typeof CorsRule>;

const LifecycleRule = z.object({
  Prefix: z.string().default(''),
  TagFilters: z.array(z.object({ Key: z.string(), Value: z.string() })).default([]),
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.number().optional(),
  AbortIncompleteMultipartUpload: z.object({ DaysAfterInitiation: z.number() }).optional(),
});
export type LifecycleRule = z.infer<typeof LifecycleRule>;

/** The rules of a bucket, named as in CloudFormation. */
export const BucketRules = z.object({
  CorsConfiguration: z.object({ CorsRules: z.array(CorsRule).min(1).max(100) }).optional(),
  LifecycleConfiguration: z.object({ Rules: z.array(LifecycleRule) }).default({ Rules: [] }),
});

export type BucketRules = z.infer<typeof BucketRules>;
export type RulesOfBuckets = Readonly<Record<string, BucketRules>>;
