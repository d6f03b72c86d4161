import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sessionAdministration } from '../../functions/platform/authentication/dynamo-sessions.ts';
import { generateLink, isOpen, type Session } from '../../functions/platform/domain/session.ts';
import { type KeyStore, terminalLogger } from './key-store.ts';

const administration = ({ clientConfig, tableName }: KeyStore) =>
  sessionAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);

/** An address that signs one person in, once; it is shown now and never again. */
export const issueSignInUrl = async (store: KeyStore, baseUrl: string, account: string): Promise<string> => {
  const { token, stored } = generateLink(account, Date.now());
  await administration(store).addLink(stored);
  return `${baseUrl}/console/sign-in#${token}`;
};

export const listSessions = async (store: KeyStore, account: string): Promise<readonly Session[]> => {
  const now = Date.now();
  return (await administration(store).list(account)).filter((session) => isOpen(session, now));
};

/** False when the account has no such session. */
export const endSession = (store: KeyStore, account: string, id: string): Promise<boolean> =>
  administration(store).end(account, id);

export const endAllSessions = (store: KeyStore, account: string): Promise<void> =>
  administration(store).endAll(account);
