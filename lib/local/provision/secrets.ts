import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../data-folder.ts';
import { hasCode, LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

/** What a template may say of a secret that CloudFormation is to make, with CloudFormation's own defaults. */
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

const typesOf = (generation: Generation): readonly string[] =>
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
  const types = typesOf(generation);
  const all = types.join('');
  const { PasswordLength: length, RequireEachIncludedType: isEachRequired } = generation;
  if (all === '' || (isEachRequired && types.length > length))
    throw new LocalCloudError('GenerateSecretString leaves no password that could be made.');
  // Drawn anew until it has them all, so that no place in it is any likelier than another.
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

const keptSchema = z.record(z.string(), z.string());

/** Secrets that were made once, by ARN: what is encrypted under them is to be read after a restart. */
export const readKeptSecrets = async (file: string): Promise<Readonly<Record<string, string>>> => {
  try {
    return keptSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return {};
    throw new LocalCloudError(`${file} cannot be read: start with --reset.`, { cause });
  }
};

const keepSecrets = (file: string, secrets: Readonly<Record<string, string>>): Promise<void> =>
  replaceFile(file, JSON.stringify(secrets));

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
