import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../../../functions/platform/aws/dynamo.ts';
import { type Member, toPersonId } from '../../../../functions/platform/domain/person.ts';
import { createTable } from '../../../support/create-table.ts';

/** Creates a table like those of keys and sessions in the stack. */
export const createAccountTable = (client: DynamoDBClient, TableName: string, key: string) =>
  createTable(client, TableName, [key], {
    indexes: { 'by-account': { keys: ['account', 'createdAt'] } },
    numbers: ['createdAt'],
  });

export const PEOPLE_TABLES = { MEMBER_TABLE: 'members', AUDIT_TABLE: 'audit' };

/** Tables like those of members and the audit log, without the indexes of members. */
export const createPeopleTables = async (client: DynamoDBClient): Promise<void> => {
  for (const TableName of Object.values(PEOPLE_TABLES))
    await createTable(client, TableName, ['account', 'id']);
};

const identity = { issuer: 'https://accounts.test', subject: 'ada' };

export const MEMBER: Member = {
  ...identity,
  account: 'acme',
  id: toPersonId(identity),
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  source: 'invitation',
  addedAt: 1_800_000_000_000,
  lastSignInAt: undefined,
};

export const putMember = async (
  client: DynamoDBClient,
  member: Member,
  table = 'members',
): Promise<Member> => {
  await client.send(new PutItemCommand({ TableName: table, Item: encode(member) }));
  return member;
};

/** The types of the account's audit entries, sorted. */
export const recordedTypes = async (client: DynamoDBClient, account: string): Promise<string[]> => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'audit',
      KeyConditionExpression: 'account = :account',
      ExpressionAttributeValues: encode({ ':account': account }),
    }),
  );
  return Items.map(({ type }) => type?.S ?? '').toSorted();
};
