import { hasPrices, type Prices } from '../../catalogue/domain/prices.ts';
import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import { itemsAfter, type Page } from '../../platform/domain/pages.ts';
import type { KeyAdministration, KeyList, KeyUses, KnownKey } from '../domain/administration.ts';
import {
  type ApiKey,
  actingPerson,
  type Caller,
  generateApiKey,
  isUsable,
  type KeyChange,
  type KeyTerms,
  managesAll,
} from '../domain/api-key.ts';
import { type Action, type AuditEntry, auditEntry, type CallerAction } from '../domain/audit.ts';
import type { PeopleRepository } from '../domain/people.ts';
import { isPersonId } from '../domain/person.ts';

/** Each account has one service account with the same name. */
export const requireServiceAccount = (account: string, id: string): void => {
  if (id !== account) throw notFound('Service account', id, 'service_account_id');
};

type NewKeyTerms = {
  readonly name: string;
  readonly expiresInSeconds: number | undefined;
  readonly monthlyBudget: string | undefined;
  /** Whether the key belongs to the account, although a person creates it. */
  readonly forAccount: boolean;
};

/** Without prices, every create with such a key would be refused. */
const requirePrices = (prices: Prices, monthlyBudget: string | undefined): void => {
  if (monthlyBudget !== undefined && !hasPrices(prices))
    throw invalidField(
      'monthly_budget',
      'monthly_budget requires prices, and the service has none. The operator can set them in the prices setting.',
    );
};

const MEMBERS_RULE = 'Members manage their own keys only; an admin manages all keys of the account.';

const requireOwnKey = (caller: Caller, { id, ownerId }: ApiKey): void => {
  if (managesAll(caller) || (ownerId !== undefined && ownerId === caller.personId)) return;
  const whose = ownerId === undefined ? 'the account' : 'another person';
  throw new DomainError('insufficient_permissions', `Key ${id} belongs to ${whose}. ${MEMBERS_RULE}`, {
    param: 'key_id',
  });
};

/** A key belongs to the person who creates it; the account owns those of admin keys and of sessions without a person. */
const newOwner = (caller: Caller, forAccount: boolean): string | undefined => {
  const personId = forAccount ? undefined : caller.personId;
  if (personId === undefined && !managesAll(caller))
    throw new DomainError(
      'insufficient_permissions',
      `Only an admin can create a key that belongs to the account. ${MEMBERS_RULE}`,
      { param: 'owner' },
    );
  return personId;
};

export const keyEntry = (
  action: Action,
  type: 'api_key.created' | 'api_key.updated' | 'api_key.deleted',
  { account, id, name, ownerId }: ApiKey,
  details: AuditEntry['details'] = {},
): AuditEntry => auditEntry(action, type, id, { name, owner: ownerId ?? account, ...details });

/** Keys made through the API create videos and images; they cannot manage the account. */
export const createKey = async (
  { keys, prices }: { readonly keys: Pick<KeyAdministration, 'add'>; readonly prices: Prices },
  action: CallerAction,
  { name, expiresInSeconds, monthlyBudget, forAccount }: NewKeyTerms,
): Promise<{ readonly key: string; readonly stored: ApiKey }> => {
  requirePrices(prices, monthlyBudget);
  const { caller, account, at } = action;
  const terms: KeyTerms = {
    kind: 'plain',
    expiresAt: expiresInSeconds === undefined ? undefined : at + expiresInSeconds * 1000,
    monthlyBudget,
    ownerId: newOwner(caller, forAccount),
  };
  const made = generateApiKey(account, name, at, terms);
  const entry = keyEntry(action, 'api_key.created', made.stored);
  if (!(await keys.add(made.stored, entry, actingPerson(caller))))
    throw new DomainError(
      'insufficient_permissions',
      'Your role in the account does not allow this key any more.',
    );
  return made;
};

type KeyQuery = {
  readonly limit: number;
  readonly after: string | undefined;
  readonly access: 'active' | 'inactive' | 'any';
  /** A person, or the account itself. */
  readonly owner: string | undefined;
};

type ListPorts = {
  readonly keys: KeyList;
  readonly uses: KeyUses;
  readonly people: Pick<PeopleRepository, 'list'>;
};

export const listKeys = async (
  { keys, uses, people }: ListPorts,
  account: string,
  { limit, after, access, owner }: KeyQuery,
  now: number,
): Promise<Page<KnownKey>> => {
  if (owner !== undefined && owner !== account && !isPersonId(owner))
    throw invalidField(
      'owner_id',
      'owner_id must be the id of a person (user_…) or the name of the account.',
    );
  const all = await keys.listAccount(account);
  const members = all.some(({ ownerId }) => ownerId !== undefined) ? await people.list(account) : [];
  const findOwner = ({ ownerId }: ApiKey) => members.find(({ id }) => id === ownerId);
  const wanted = itemsAfter(all, after, 'a key')
    .filter((key) => access === 'any' || isUsable(key, now, findOwner(key)) === (access === 'active'))
    .filter(({ ownerId }) => owner === undefined || (ownerId ?? account) === owner);
  const shown = wanted.slice(0, limit);
  const lastCharges = await uses.lastCharges(
    account,
    shown.map(({ id }) => id),
  );
  const items = shown.map((key) => ({ key, owner: findOwner(key), lastCharge: lastCharges.get(key.id) }));
  return { items, hasMore: wanted.length > limit };
};

const findKey = async (keys: KeyList, { account }: CallerAction, id: string): Promise<ApiKey> => {
  const key = (await keys.listAccount(account)).find((each) => each.id === id);
  if (key === undefined) throw notFound('Key', id, 'key_id');
  return key;
};

export const revokeKey = async (
  keys: Pick<KeyAdministration, 'listAccount' | 'revoke'>,
  action: CallerAction,
  id: string,
): Promise<void> => {
  const key = await findKey(keys, action, id);
  requireOwnKey(action.caller, key);
  // A key is revoked once, with one audit entry.
  if (key.revokedAt !== undefined) return;
  if (!(await keys.revoke(key, action.at, keyEntry(action, 'api_key.deleted', key))))
    throw notFound('Key', id, 'key_id');
};

/** The changed terms, as responses name them. */
const TERM_NAMES: Readonly<Record<keyof KeyChange, string>> = {
  name: 'name',
  expiresAt: 'expires_at',
  monthlyBudget: 'budget',
};

type ChangePorts = {
  readonly keys: Pick<KeyAdministration, 'listAccount' | 'change'>;
  readonly prices: Prices;
};

/** Changes the name, the expiry or the budget of a key that is not revoked. */
export const changeKey = async (
  { keys, prices }: ChangePorts,
  action: CallerAction,
  id: string,
  change: KeyChange,
): Promise<ApiKey> => {
  requirePrices(prices, change.monthlyBudget);
  const key = await findKey(keys, action, id);
  requireOwnKey(action.caller, key);
  const changed = { ...key, ...change };
  const fields = Object.entries(TERM_NAMES).flatMap(([term, name]) => (term in change ? [name] : []));
  const entry = keyEntry(action, 'api_key.updated', changed, { fields });
  if (key.revokedAt !== undefined || !(await keys.change(key.hash, change, entry)))
    throw invalidField('key_id', `Key ${id} is revoked: create another one.`);
  return changed;
};
