import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../data-folder.ts';
import { hasCode, LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const TYPES = [/[A-Z]/, /[a-z]/, /[0-9]/];

const generationSchema = z.strictObject({
  PasswordLength: z.number().int().min(TYPES.length).max(4096).default(32),
  ExcludePunctuation: z.boolean().default(false),
});

/** Drawn again until it has a character of every type, so that all valid secrets are equally likely. */
const generateSecret = (generation: z.infer<typeof generationSchema>): string => {
  const { PasswordLength: length, ExcludePunctuation: isPlain } = generation;
  const alphabet = isPlain ? ALPHANUMERIC : ALPHANUMERIC + PUNCTUATION;
  const types = isPlain ? TYPES : [...TYPES, /[^A-Za-z0-9]/];
  for (;;) {
    const drawn = Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
    if (types.every((type) => type.test(drawn))) return drawn;
  }
};

const generatedSchema = z.record(z.string(), z.string());

/**
 * Generated secrets by ARN, stored so that data encrypted with them stays readable after a restart. A secret that leaves the
 * template is gone at once, since CloudFormation deletes secrets without a recovery window.
 */
export const readGeneratedSecrets = async (file: string): Promise<Readonly<Record<string, string>>> => {
  try {
    return generatedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return {};
    throw new LocalCloudError(`${file} cannot be read: start with --reset.`, { cause });
  }
};

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

/** Returns the local value of a secret; undefined if the template generates it. */
export type SecretResolver = (secret: SecretResource) => string | undefined;

/** Values by ARN and, if given, by name, because GetSecretValue accepts both. */
export const readSecrets = async (
  stack: Stack,
  resolveSecret: SecretResolver,
  generatedFile: string,
): Promise<Record<string, string>> => {
  const values: Record<string, string> = {};
  const stored = await readGeneratedSecrets(generatedFile);
  const generated: Record<string, string> = {};
  for (const resource of stack.resources(SUPPORTED_TYPES.secret)) {
    const {
      Name: name,
      Description: description,
      GenerateSecretString: generation,
    } = stack.properties(resource, secretSchema);
    const { ref } = stack.identity(resource.logicalId);
    let value = resolveSecret({ logicalId: resource.logicalId, name, description });
    if (value === undefined && generation !== undefined) {
      value = stored[ref] ?? generateSecret(generation);
      generated[ref] = value;
    }
    if (value === undefined)
      throw new LocalCloudError(`The secret ${resource.logicalId} has no local value.`);
    values[ref] = value;
    if (name !== undefined) values[name] = value;
  }
  const refs = (secrets: object) => Object.keys(secrets).toSorted().join();
  if (refs(stored) !== refs(generated)) await replaceFile(generatedFile, JSON.stringify(generated));
  return values;
};
