import * as z from 'zod';

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional(),
});

export const templateSchema = z.object({
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
