import {
  type ApiKey,
  type Caller,
  generateApiKey,
  isUsable,
  type KeyAdministration,
  type KeyChange,
  type KeyTerms,
} from '../../platform/domain/api-key.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  isSessionId,
  openSession,
  type Session,
  type SessionAdministration,
  toSessionId,
} from '../../platform/domain/session.ts';
import { hasPrices, type Prices } from '../domain/billing.ts';
import type { KeyUses } from '../domain/ports.ts';

const notFound = (what: string, id: string, param: string): DomainError =>
  new DomainError('not_found', `${what} ${id.slice(0, 64)} was not found.`, { param });

/** Every account is one project; the projects of other accounts are reported as not found. */
export const requireOwnProject = (account: string, project: string): void => {
  if (project !== account) throw notFound('Project', project, 'project_id');
};

/** Each account has one service account with the same name. */
export const requireServiceAccount = (account: string, id: string): void => {
  if (id !== account) throw notFound('Service account', id, 'service_account_id');
};

type NewKeyTerms = {
  readonly name: string;
  readonly expiresInSeconds: number | undefined;
  readonly monthlyBudget: string | undefined;
};

/** Without prices, every create with such a key would be refused. */
const requirePrices = (prices: Prices, monthlyBudget: string | undefined): void => {
  if (monthlyBudget !== undefined && !hasPrices(prices))
    throw invalidField(
      'monthly_budget',
      'monthly_budget requires prices, and the service has none. The operator can set them in the prices setting.',
    );
};

/** Keys made through the API create videos and images; they cannot manage the account. */
export const createKey = async (
  { keys, prices }: { readonly keys: Pick<KeyAdministration, 'add'>; readonly prices: Prices },
  account: string,
  { name, expiresInSeconds, monthlyBudget }: NewKeyTerms,
  now: number,
): Promise<{ readonly key: string; readonly stored: ApiKey }> => {
  requirePrices(prices, monthlyBudget);
  const terms: KeyTerms = {
    kind: 'plain',
    expiresAt: expiresInSeconds === undefined ? undefined : now + expiresInSeconds * 1000,
    monthlyBudget,
    requestsPerSecond: undefined,
  };
  const made = generateApiKey(account, name, now, terms);
  await keys.add(made.stored);
  return made;
};

type KeyQuery = {
  readonly limit: number;
  readonly after: string | undefined;
  readonly access: 'active' | 'inactive' | 'any';
};

type KeyPage = {
  readonly keys: readonly ApiKey[];
  readonly hasMore: boolean;
  readonly lastCharges: ReadonlyMap<string, number>;
};

export const listKeys = async (
  { keys, uses }: { readonly keys: Pick<KeyAdministration, 'listAccount'>; readonly uses: KeyUses },
  account: string,
  { limit, after, access }: KeyQuery,
  now: number,
): Promise<KeyPage> => {
  const all = await keys.listAccount(account);
  const position = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && position === -1)
    throw invalidField('after', 'after must be the id of a key, such as last_id of the previous page.');
  const wanted = all
    .slice(position + 1)
    .filter((key) => access === 'any' || isUsable(key, now) === (access === 'active'));
  const shown = wanted.slice(0, limit);
  const lastCharges = await uses.lastCharges(
    account,
    shown.map(({ id }) => id),
  );
  return { keys: shown, hasMore: wanted.length > limit, lastCharges };
};

export const revokeKey = async (
  keys: KeyAdministration,
  account: string,
  id: string,
  now: number,
): Promise<void> => {
  const key = (await keys.listAccount(account)).find((each) => each.id === id);
  if (key === undefined || !(await keys.revoke(key.hash, now))) throw notFound('Key', id, 'key_id');
};

/** Changes the name, the expiry or the budget of a key that is not revoked. */
export const changeKey = async (
  { keys, prices }: { readonly keys: KeyAdministration; readonly prices: Prices },
  account: string,
  id: string,
  change: KeyChange,
): Promise<ApiKey> => {
  requirePrices(prices, change.monthlyBudget);
  const key = (await keys.listAccount(account)).find((each) => each.id === id);
  if (key === undefined) throw notFound('Key', id, 'key_id');
  if (key.revokedAt !== undefined || !(await keys.change(key.hash, change)))
    throw invalidField('key_id', `Key ${id} is revoked: create another one.`);
  return { ...key, ...change };
};

const GET_ANOTHER =
  'Get a new link with npm run console -- sign-in --account ACCOUNT, and --stack NAME for a deployed stack.';

type Dependencies = { readonly sessions: SessionAdministration; readonly now: Clock };

/** Exchanges the token of a sign-in link for a session; a token can be used once. */
export const signIn = async (
  { sessions, now }: Dependencies,
  token: string,
): Promise<{ readonly session: Session; readonly cookie: string }> => {
  const id = toSessionId(token);
  if (id === undefined) throw invalidField('token', `token is not from a sign-in link. ${GET_ANOTHER}`);
  const opened = openSession(id, now());
  const session = await sessions.redeem(opened.session);
  if (session === undefined)
    throw invalidField(
      'token',
      `token is unknown, was already used or is older than 15 minutes. ${GET_ANOTHER}`,
    );
  return { session, cookie: opened.cookie };
};

/** Ends one session, the caller's own (`current`) or `all` sessions of the account; returns the id, or `all`. */
export const endSession = async (
  sessions: SessionAdministration,
  { account, keyId }: Caller,
  which: string,
): Promise<string> => {
  if (which === 'all') {
    await sessions.endAll(account);
    return which;
  }
  const id = which === 'current' ? keyId : which;
  if (!isSessionId(id) || !(await sessions.end(account, id)))
    throw new DomainError('not_found', `Session ${which.slice(0, 64)} was not found.`, {
      param: 'session_id',
    });
  return id;
};
