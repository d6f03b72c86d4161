import * as z from 'zod';
import { LocalCloudError } from '../local-cloud-error.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const secretSchema = z.object({ Name: z.string().optional(), Description: z.string().optional() });

type SecretResource = {
  readonly logicalId: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
};

/** The local value of a secret; undefined is an error that names it. */
export type SecretResolver = (secret: SecretResource) => string | undefined;

/** Values by ARN and, where the template gives one, by name: GetSecretValue takes both. */
export const readSecrets = (stack: Stack, resolveSecret: SecretResolver): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const resource of stack.resources(SUPPORTED_TYPES.secret)) {
    const { Name: name, Description: description } = stack.properties(resource, secretSchema);
    const value = resolveSecret({ logicalId: resource.logicalId, name, description });
    if (value === undefined)
      throw new LocalCloudError(`The secret ${resource.logicalId} has no local value.`);
    values[stack.identity(resource.logicalId).ref] = value;
    if (name !== undefined) values[name] = value;
  }
  return values;
};
