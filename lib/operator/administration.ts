import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type AccountSummary,
  accountAdministration,
} from '../../functions/accounts/adapters/dynamo-accounts.ts';
import { keyAdministration } from '../../functions/platform/authentication/dynamo-keys.ts';
import { sessionAdministration } from '../../functions/platform/authentication/dynamo-sessions.ts';
import { type ApiKey, generateApiKey, type KeyTerms } from '../../functions/platform/domain/api-key.ts';
import { generateLink, isOpen, type Session } from '../../functions/platform/domain/session.ts';
import { type StackTable, terminalLogger } from './operated-stack.ts';

const keyTable = ({ clientConfig, tableName }: StackTable) =>
  keyAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);

/** Creates an API key and returns it; only its hash is stored. */
export const issueApiKey = async (
  table: StackTable,
  { account, name, ...terms }: { readonly account: string; readonly name: string } & Partial<KeyTerms>,
): Promise<string> => {
  const { key, stored } = generateApiKey(account, name, Date.now(), terms);
  await keyTable(table).add(stored);
  return key;
};

export const listApiKeys = (table: StackTable): Promise<ApiKey[]> => keyTable(table).list();

/** Returns the revoked key, or undefined if there is no key with this id. */
export const revokeApiKey = async (table: StackTable, id: string): Promise<ApiKey | undefined> => {
  const keys = keyTable(table);
  const found = (await keys.list()).find((key) => key.id === id);
  if (found !== undefined) await keys.revoke(found.hash, Date.now());
  return found;
};

const sessionTable = ({ clientConfig, tableName }: StackTable) =>
  sessionAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);

/** Creates a link that signs one person in, once. */
export const issueSignInUrl = async (
  table: StackTable,
  baseUrl: string,
  account: string,
): Promise<string> => {
  const { token, stored } = generateLink(account, Date.now());
  await sessionTable(table).addLink(stored);
  return `${baseUrl}/console/sign-in#${token}`;
};

export const listSessions = async (table: StackTable, account: string): Promise<readonly Session[]> => {
  const now = Date.now();
  return (await sessionTable(table).list(account)).filter((session) => isOpen(session, now));
};

/** Returns false if the account has no such session. */
export const endSession = (table: StackTable, account: string, id: string): Promise<boolean> =>
  sessionTable(table).end(account, id);

export const endAllSessions = async (table: StackTable, account: string): Promise<void> => {
  await sessionTable(table).endAll(account);
};

/** Sets and describes the limits of accounts. */
export const accountLimits = ({ clientConfig, tableName }: StackTable) => {
  const accounts = accountAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);
  return {
    set: accounts.set,
    show: async (account: string, now: number): Promise<string | undefined> => {
      const found = await accounts.show(account, now);
      return found && describeAccount(found);
    },
    list: async (now: number): Promise<string[]> => (await accounts.list(now)).map(describeAccount),
  };
};

const describeAccount = ({ account, limits, month, committed, videos }: AccountSummary): string =>
  [
    account,
    `monthly budget ${describeLimit(limits.monthlyBudget)}`,
    `videos at once ${describeLimit(limits.videosAtOnce)}`,
    `creates a minute ${describeLimit(limits.createsPerMinute)}`,
    `used in ${month} ${committed}`,
    `unfinished ${videos}`,
  ].join('  ');

const describeLimit = (limit: string | number | null | undefined): string =>
  limit === undefined ? 'default' : String(limit ?? 'none');
