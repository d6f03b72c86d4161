import * as z from 'zod';

/** A new account may run this many functions at once in a region. */
const NEW_ACCOUNT_EXECUTIONS = 10;

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional(),
});

/** Quotas belong to the account and not to the stack, so the template can only note which ones it is made for. */
const metadataSchema = z.object({
  AccountQuotas: z
    .object({ LambdaConcurrentExecutions: z.int().min(0).default(NEW_ACCOUNT_EXECUTIONS) })
    .default({ LambdaConcurrentExecutions: NEW_ACCOUNT_EXECUTIONS }),
});

export const templateSchema = z.object({
  Metadata: metadataSchema.default(metadataSchema.parse({})),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
  Parameters: z.record(z.string(), z.object({ Default: z.unknown().optional() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
});

export type Template = z.infer<typeof templateSchema>;

export type Resource = z.infer<typeof resourceSchema> & { readonly logicalId: string };

const assetSchema = z.object({
  source: z.object({ path: z.string().optional() }),
  destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
});

export const assetManifestSchema = z.object({ files: z.record(z.string(), assetSchema).default({}) });
