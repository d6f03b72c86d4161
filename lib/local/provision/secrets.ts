import * as z from 'zod';
import { LocalCloudError } from '../local-cloud-error.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import { generateSecret, generationSchema, keepSecrets, readKeptSecrets } from './generated-secrets.ts';

const secretSchema = z.object({
  Name: z.string().optional(),
  Description: z.string().optional(),
  GenerateSecretString: generationSchema.optional(),
});

type SecretResource = {
  readonly logicalId: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
};

/** The local value of a secret; undefined is the one that the template has made, or an error that names it. */
export type SecretResolver = (secret: SecretResource) => string | undefined;

/** Values by ARN and, where the template gives one, by name: GetSecretValue takes both. */
export const readSecrets = async (
  stack: Stack,
  resolveSecret: SecretResolver,
  keptFile: string,
): Promise<Record<string, string>> => {
  const values: Record<string, string> = {};
  const kept = await readKeptSecrets(keptFile);
  const made: Record<string, string> = {};
  for (const resource of stack.resources(SUPPORTED_TYPES.secret)) {
    const {
      Name: name,
      Description: description,
      GenerateSecretString: generation,
    } = stack.properties(resource, secretSchema);
    const { ref } = stack.identity(resource.logicalId);
    let value = resolveSecret({ logicalId: resource.logicalId, name, description });
    if (value === undefined && generation !== undefined) {
      value = kept[ref] ?? generateSecret(generation);
      made[ref] = value;
    }
    if (value === undefined)
      throw new LocalCloudError(`The secret ${resource.logicalId} has no local value.`);
    values[ref] = value;
    if (name !== undefined) values[name] = value;
  }
  if (Object.keys(made).some((ref) => kept[ref] === undefined))
    await keepSecrets(keptFile, { ...kept, ...made });
  return values;
};
