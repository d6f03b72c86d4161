import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../data-folder.ts';
import { hasCode, LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

/** GenerateSecretString with CloudFormation's defaults. */
export const generationSchema = z
  .object({
    PasswordLength: z.number().int().min(1).max(4096).default(32),
    ExcludeCharacters: z.string().default(''),
    ExcludeLowercase: z.boolean().default(false),
    ExcludeUppercase: z.boolean().default(false),
    ExcludeNumbers: z.boolean().default(false),
    ExcludePunctuation: z.boolean().default(false),
    IncludeSpace: z.boolean().default(false),
    RequireEachIncludedType: z.boolean().default(true),
    SecretStringTemplate: z.string().optional(),
    GenerateStringKey: z.string().optional(),
  })
  .strict();

type Generation = z.infer<typeof generationSchema>;

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const characterTypes = (generation: Generation): readonly string[] =>
  [
    generation.ExcludeLowercase ? '' : LOWERCASE,
    generation.ExcludeUppercase ? '' : LOWERCASE.toUpperCase(),
    generation.ExcludeNumbers ? '' : DIGITS,
    generation.ExcludePunctuation ? '' : PUNCTUATION,
    generation.IncludeSpace ? ' ' : '',
  ]
    .map((type) =>
      Array.from(type)
        .filter((each) => !generation.ExcludeCharacters.includes(each))
        .join(''),
    )
    .filter((type) => type !== '');

const password = (generation: Generation): string => {
  const types = characterTypes(generation);
  const all = types.join('');
  const { PasswordLength: length, RequireEachIncludedType: isEachRequired } = generation;
  if (all === '' || (isEachRequired && types.length > length))
    throw new LocalCloudError('GenerateSecretString excludes every possible password.');
  // Repeated until every type is included, so that all valid passwords are equally likely.
  for (;;) {
    const drawn = Array.from({ length }, () => all[randomInt(all.length)] ?? '').join('');
    if (!isEachRequired || types.every((type) => Array.from(type).some((each) => drawn.includes(each))))
      return drawn;
  }
};

export const generateSecret = (generation: Generation): string => {
  const { SecretStringTemplate: template, GenerateStringKey: key } = generation;
  if (template === undefined && key === undefined) return password(generation);
  if (template === undefined || key === undefined)
    throw new LocalCloudError('GenerateSecretString needs both SecretStringTemplate and GenerateStringKey.');
  return JSON.stringify({
    ...z.record(z.string(), z.unknown()).parse(JSON.parse(template)),
    [key]: password(generation),
  });
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
