import {
  type AccountSummary,
  accountAdministration,
} from '../../functions/billing/adapters/account-administration.ts';
import { formatBytes } from '../../functions/billing/domain/kept-storage.ts';
import { dynamoKeyList } from '../../functions/identity/adapters/dynamo-keys.ts';
import { memberDirectory } from '../../functions/identity/adapters/dynamo-members.ts';
import { sessionAdministration } from '../../functions/identity/adapters/dynamo-sessions.ts';
import { keyAdministration } from '../../functions/identity/adapters/key-administration.ts';
import { type ApiKey, generateApiKey, type KeyTerms } from '../../functions/identity/domain/api-key.ts';
import { auditEntry } from '../../functions/identity/domain/audit.ts';
import { generateLink, isBacked, isOpen, type Session } from '../../functions/identity/domain/session.ts';
import { keyEntry } from '../../functions/identity/usecases/manage-keys.ts';
import { operatorAction, operatorAudit, ownerTables, quietLogger } from './audit.ts';
import { dynamoClient } from './dynamo-client.ts';
import {
  type OperatedStack,
  OperatorError,
  stackOutput,
  stackTable,
  terminalLogger,
} from './operated-stack.ts';

const keyTables = (stack: OperatedStack) =>
  keyAdministration(dynamoClient(stack.clientConfig), ownerTables(stack), quietLogger);

/** Creates an API key of an account and returns it; only its hash is stored. */
export const issueApiKey = async (
  stack: OperatedStack,
  { account, name, ...terms }: { readonly account: string; readonly name: string } & Partial<KeyTerms>,
): Promise<string> => {
  const action = operatorAction(account);
  const { key, stored } = generateApiKey(account, name, action.at, terms);
  if (!(await keyTables(stack).add(stored, keyEntry(action, 'api_key.created', stored))))
    throw new OperatorError(`${stored.ownerId} is not a member or an admin of ${account}.`);
  return key;
};

export const listApiKeys = (stack: OperatedStack): Promise<ApiKey[]> =>
  dynamoKeyList(dynamoClient(stack.clientConfig), stackOutput(stack, 'KeyTableName'), terminalLogger).list();

/** Returns the key, which may have been revoked before, or undefined if there is no key with this id. */
export const revokeApiKey = async (stack: OperatedStack, id: string): Promise<ApiKey | undefined> => {
  const keys = keyTables(stack);
  const found = (await keys.list()).find((key) => key.id === id);
  if (found !== undefined && found.revokedAt === undefined) {
    const action = operatorAction(found.account);
    await keys.revoke(found, action.at, keyEntry(action, 'api_key.deleted', found));
  }
  return found;
};

const sessionTable = (stack: OperatedStack) =>
  sessionAdministration(
    dynamoClient(stack.clientConfig),
    stackOutput(stack, 'SessionTableName'),
    terminalLogger,
    operatorAudit(stack),
  );

const sessionEntry = (type: 'link.created' | 'session.ended', account: string, id: string) =>
  auditEntry(operatorAction(account), type, id);

/** Creates a link that signs one person in, once. */
export const issueSignInUrl = async (
  stack: OperatedStack,
  baseUrl: string,
  account: string,
): Promise<string> => {
  const { token, stored } = generateLink(account, Date.now());
  await sessionTable(stack).addLink(stored, sessionEntry('link.created', account, stored.id));
  return `${baseUrl}/console/sign-in#${token}`;
};

export const listSessions = async (stack: OperatedStack, account: string): Promise<readonly Session[]> => {
  const now = Date.now();
  const client = dynamoClient(stack.clientConfig);
  const members = await memberDirectory(client, stack.outputs.MemberTableName, terminalLogger).list(account);
  return (await sessionTable(stack).list(account)).filter(
    (session) => isOpen(session, now) && isBacked(session, members),
  );
};

/** Returns false if the account has no such session. */
export const endSession = (stack: OperatedStack, account: string, id: string): Promise<boolean> =>
  sessionTable(stack).end(account, id, sessionEntry('session.ended', account, id));

export const endAllSessions = async (stack: OperatedStack, account: string): Promise<void> => {
  await sessionTable(stack).endAll(account, (id) => sessionEntry('session.ended', account, id));
};

/** Sets and describes the limits of accounts. */
export const accountLimits = (stack: OperatedStack) => {
  const { clientConfig, tableName } = stackTable(stack, 'AccountTableName');
  const client = dynamoClient(clientConfig);
  const accounts = accountAdministration(client, tableName, terminalLogger, operatorAudit(stack));
  return {
    set: (account: string, changes: Parameters<typeof accounts.set>[1]): Promise<void> =>
      accounts.set(operatorAction(account), changes),
    show: async (account: string, now: number): Promise<string | undefined> => {
      const found = await accounts.show(account, now);
      return found && describeAccount(found);
    },
    list: async (now: number): Promise<string[]> => (await accounts.list(now)).map(describeAccount),
  };
};

const describeAccount = ({ account, limits, month, committed, videos, keptBytes }: AccountSummary): string =>
  [
    account,
    `monthly budget ${describeLimit(limits.monthlyBudget)}`,
    `videos at once ${describeLimit(limits.videosAtOnce)}`,
    `creates a minute ${describeLimit(limits.createsPerMinute)}`,
    `kept megabytes ${describeLimit(limits.keptMegabytes)}`,
    `used in ${month} ${committed}`,
    `unfinished ${videos}`,
    `kept ${formatBytes(keptBytes)}`,
  ].join('  ');

const describeLimit = (limit: string | number | null | undefined): string =>
  limit === undefined ? 'default' : String(limit ?? 'none');
