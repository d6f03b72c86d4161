import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';

/** Concurrent executions of a new account. */
const NEW_ACCOUNT_EXECUTIONS = 10;

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional(),
  DeletionPolicy: z.enum(['Delete', 'Retain', 'RetainExceptOnCreate']).optional(),
  UpdateReplacePolicy: z.enum(['Delete', 'Retain']).optional(),
});

/** Quotas belong to the account, so the template only states which ones it expects. */
const metadataSchema = z.object({
  AccountQuotas: z
    .object({ LambdaConcurrentExecutions: z.int().min(0).default(NEW_ACCOUNT_EXECUTIONS) })
    .default({ LambdaConcurrentExecutions: NEW_ACCOUNT_EXECUTIONS }),
});

export const templateSchema = z.object({
  Metadata: metadataSchema.default(metadataSchema.parse({})),
  Resources: z.record(z.string(), resourceSchema),
  Description: z.string().default(''),
  Outputs: z
    .record(
      z.string(),
      z.object({
        Value: z.unknown(),
        Description: z.string().default(''),
        Condition: z.string().optional(),
      }),
    )
    .default({}),
  Parameters: z
    .record(z.string(), z.object({ Type: z.string().default('String'), Default: z.unknown().optional() }))
    .default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
});

export type Template = z.infer<typeof templateSchema>;

export type Resource = z.infer<typeof resourceSchema> & { readonly logicalId: string };

const assetSchema = z.object({
  source: z.object({ path: z.string().optional() }),
  destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
});

export const assetManifestSchema = z.object({ files: z.record(z.string(), assetSchema).default({}) });

export type SynthesizedStack = {
  readonly template: Template;
  /** The local path of the asset that a deployment would upload under this key. */
  readonly assetPath: (objectKey: string) => string | undefined;
};

export type TemplateFiles = {
  readonly templateFile: string;
  /** By default next to the template; asset paths are relative to it. */
  readonly assetsFile?: string;
};

export const readSynthesizedStack = async ({
  templateFile,
  assetsFile,
}: TemplateFiles): Promise<SynthesizedStack> => {
  const manifestFile = assetsFile ?? templateFile.replace(/\.template\.json$/, '.assets.json');
  const [template, manifest] = await Promise.all([readJson(templateFile), readJson(manifestFile)]);
  const paths = new Map<string, string>();
  for (const { source, destinations } of Object.values(assetManifestSchema.parse(manifest).files)) {
    for (const { objectKey } of Object.values(destinations)) {
      if (source.path !== undefined) paths.set(objectKey, resolve(dirname(manifestFile), source.path));
    }
  }
  return { template: templateSchema.parse(template), assetPath: (objectKey) => paths.get(objectKey) };
};

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new LocalCloudError(`Cannot read ${file} of the synthesized stack.`, { cause });
  }
};

/** Adds all names that a value refers to. */
const addReferences = (value: unknown, names: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) addReferences(item, names);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'Ref') names.add(String(inner));
      else if (key === 'Fn::GetAtt')
        names.add(String(Array.isArray(inner) ? inner[0] : inner).split('.')[0] ?? '');
      else if (key === 'Fn::Sub')
        for (const [, name = ''] of JSON.stringify(inner).matchAll(/\$\{(\w+)/g)) names.add(name);
      addReferences(inner, names);
    }
};

type Order = {
  /** Each resource after those that it refers to. */
  readonly ordered: readonly Resource[];
  /** The first circle of resources that wait for each other. */
  readonly circle: string | undefined;
};

export const orderByDependencies = ({ Resources }: Pick<Template, 'Resources'>): Order => {
  const ordered: Resource[] = [];
  const done = new Set<string>();
  const visit = (logicalId: string, path: readonly string[]): string | undefined => {
    const resource = Resources[logicalId];
    if (resource === undefined || done.has(logicalId)) return undefined;
    const start = path.indexOf(logicalId);
    if (start >= 0) return `Circular dependency: ${[...path.slice(start), logicalId].join(' → ')}`;
    const next = [...path, logicalId];
    const names = new Set(resource.DependsOn);
    addReferences(resource.Properties, names);
    for (const name of names) {
      const circle = visit(name, next);
      if (circle !== undefined) return circle;
    }
    done.add(logicalId);
    ordered.push({ logicalId, ...resource });
    return undefined;
  };
  for (const logicalId of Object.keys(Resources)) {
    const circle = visit(logicalId, []);
    if (circle !== undefined) return { ordered, circle };
  }
  return { ordered, circle: undefined };
};
