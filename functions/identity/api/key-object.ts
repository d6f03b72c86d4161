import * as z from 'zod/mini';
import { deletion, listSchema, readPageQuery } from '../../platform/api/pages.ts';
import { readChoice, toSeconds, toSecondsOrNull } from '../../platform/api/parameters.ts';
import { refuse } from '../../platform/body/parse.ts';
import {
  choice,
  forbidden,
  leaf,
  name,
  openFields,
  optional,
  timestamp,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { readMoney } from '../../platform/domain/money.ts';
import type { KnownKey } from '../domain/administration.ts';
import { type ApiKey, isUsable, KEY_PREFIXES, type KeyChange, MAX_KEY_SECONDS } from '../domain/api-key.ts';
import type { Member } from '../domain/person.ts';
import { ROLES } from '../domain/roles.ts';

/** API keys in the format of OpenAI's administration API, where an account is a project. */

const budget = leaf(
  (value, context) => {
    const text = typeof value === 'number' ? String(value) : value;
    const amount = typeof text === 'string' ? readMoney(text) : undefined;
    return amount ?? refuse(context, 'must be an amount such as "20" or "19.95", with up to 6 decimals.');
  },
  { type: ['string', 'number'], examples: ['19.95'] },
);

const terms = {
  expires_in_seconds: optional(z.nullable(wholeNumber(1, MAX_KEY_SECONDS)), 'How long the key is valid.'),
  monthly_budget: optional(z.nullable(budget), 'The most that may be spent with the key in a UTC month.'),
  scopes: forbidden(
    (context) => refuse(context, 'are not supported: every key has full access to its account.'),
    'Not supported.',
  ),
};

export const newKeySchema = openFields({
  name: name(),
  ...terms,
  owner: optional(
    choice(['account']),
    'Makes the key belong to the account. Without it, a key belongs to the person who creates it, if one is signed in.',
  ),
});
/** The SDK sends a name only if the caller gives one. */
export const newServiceAccountKeySchema = openFields({ name: z.optional(name()), ...terms });

export const keyChangeSchema = openFields({
  name: optional(name(), 'Another name.'),
  expires_in_seconds: optional(
    z.nullable(wholeNumber(1, MAX_KEY_SECONDS)),
    'How long the key is valid from now. Null: it does not expire.',
  ),
  monthly_budget: optional(
    z.nullable(budget),
    'The most that may be spent with the key in a UTC month; includes its earlier charges of the month. Null: no limit.',
  ),
}).check(z.describe('The terms to change; at least one. Terms that are absent stay as they are.'));

export const readKeyChange = (given: z.output<typeof keyChangeSchema>, now: number): KeyChange => {
  const { name, expires_in_seconds: seconds, monthly_budget } = given;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(seconds === undefined ? {} : { expiresAt: seconds === null ? undefined : now + seconds * 1000 }),
    ...(monthly_budget === undefined ? {} : { monthlyBudget: monthly_budget ?? undefined }),
  };
  if (Object.keys(change).length === 0)
    throw invalidField('name', 'Send at least one of name, expires_in_seconds and monthly_budget.');
  return change;
};

/** Null means absent, as in the SDK. */
export const newKeyTerms = (given: z.output<typeof newKeySchema | typeof newServiceAccountKeySchema>) => ({
  name: given.name ?? '',
  forAccount: 'owner' in given && given.owner === 'account',
  expiresInSeconds: given.expires_in_seconds ?? undefined,
  monthlyBudget: given.monthly_budget ?? undefined,
});

export const ACCESSES = ['active', 'inactive', 'any'] as const;

const keyFields = {
  id: z.string().check(z.describe('`key_` and the first 16 hexadecimal digits of the key’s SHA-256.')),
  name: z.string(),
  created_at: timestamp('When it was created.'),
  expires_at: z.nullable(timestamp('When it expires.')),
};

const accountOwner = z.object({
  type: z.literal('service_account'),
  service_account: z.object({
    id: z.string(),
    name: z.string(),
    created_at: timestamp('When the key was created.'),
    role: z.literal('member'),
  }),
});

const personOwner = z.object({
  type: z.literal('user'),
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    created_at: timestamp('When the person was added to the account; 0 if the person has left.'),
    role: z.enum([...ROLES, 'removed']).check(z.describe('The role of the person in the account.')),
  }),
});

const shownFields = {
  ...keyFields,
  redacted_value: z.string().check(z.describe('Its prefix and its last four characters.')),
  last_used_at: z.nullable(
    timestamp('When it was last charged for a video or an image; null if it never was.'),
  ),
  revoked_at: z.nullable(timestamp('When it was revoked.')),
  budget: z.nullable(z.string()).check(z.describe('The most that may be spent with it in a UTC month.')),
  owner: z.union([accountOwner, personOwner]),
  owner_project_access: z.enum(['active', 'inactive']),
  object: z.literal('organization.project.api_key'),
};

const value = z.string().check(z.describe('The key itself, which is shown only once.'));

export const keySchema = z.object(shownFields).check(z.describe('An API key of the account.'));
export const createdKeySchema = z
  .object({ ...shownFields, value })
  .check(z.describe('A new API key, with its value.'));
export const serviceAccountKeySchema = z
  .object({ ...keyFields, object: z.literal('organization.project.service_account.api_key'), value })
  .check(z.describe('A new API key, with its value.'));
export const keyListSchema = listSchema(keySchema, 'A page of the account’s keys, newest first.');
export const { schema: deletedKeySchema, answer: deletedKey } = deletion(
  'organization.project.api_key.deleted',
);

export type KeyObject = z.infer<typeof keySchema>;
export type CreatedKey = z.infer<typeof createdKeySchema>;
export type KeyList = z.infer<typeof keyListSchema>;

const keyOwner = (key: ApiKey, person: Member | undefined): KeyObject['owner'] =>
  key.ownerId === undefined
    ? {
        type: 'service_account',
        service_account: {
          id: key.account,
          name: key.account,
          created_at: toSeconds(key.createdAt),
          role: 'member',
        },
      }
    : {
        type: 'user',
        user: {
          id: key.ownerId,
          name: person?.name ?? '',
          email: person?.email ?? '',
          created_at: toSeconds(person?.addedAt ?? 0),
          role: person?.role ?? 'removed',
        },
      };

export const keyObject = ({ key, owner, lastCharge }: KnownKey, now: number): KeyObject => ({
  id: key.id,
  object: 'organization.project.api_key',
  name: key.name,
  redacted_value: `${KEY_PREFIXES[key.kind]}…${key.lastFour}`,
  created_at: toSeconds(key.createdAt),
  expires_at: toSecondsOrNull(key.expiresAt),
  last_used_at: toSecondsOrNull(lastCharge),
  revoked_at: toSecondsOrNull(key.revokedAt),
  budget: key.monthlyBudget ?? null,
  owner: keyOwner(key, owner),
  owner_project_access: isUsable(key, now, owner) ? 'active' : 'inactive',
});

export const createdKey = (key: ApiKey, value: string, owner?: Member | undefined): CreatedKey => ({
  ...keyObject({ key, owner }, key.createdAt),
  value,
});

export const serviceAccountKey = (
  { id, name, createdAt, expiresAt }: ApiKey,
  value: string,
): z.infer<typeof serviceAccountKeySchema> => ({
  id,
  object: 'organization.project.service_account.api_key',
  name,
  created_at: toSeconds(createdAt),
  expires_at: toSecondsOrNull(expiresAt),
  value,
});

export const readKeyQuery = (query: (name: string) => string | undefined) => {
  const access = readChoice(query, 'owner_project_access', ACCESSES) ?? 'any';
  return { ...readPageQuery(query), access, owner: query('owner_id') };
};
