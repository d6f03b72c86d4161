import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Member } from '../../../../functions/identity/domain/person.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { aStoredMember } from '../../../support/builders/person.ts';
import { createTable } from '../../../support/create-table.ts';

/** Creates a table like those of keys and sessions in the stack. */
export const createAccountTable = (client: DynamoDBClient, TableName: string, key: string) =>
  createTable(client, TableName, [key], {
    indexes: { 'by-account': { keys: ['account', 'createdAt'] } },
    numbers: ['createdAt'],
  });

export const PEOPLE_TABLES = { KEY_TABLE: 'keys', MEMBER_TABLE: 'members', AUDIT_TABLE: 'audit' };

const createPeople = async (client: DynamoDBClient): Promise<void> => {
  await createAccountTable(client, PEOPLE_TABLES.KEY_TABLE, 'hash');
  for (const TableName of [PEOPLE_TABLES.MEMBER_TABLE, PEOPLE_TABLES.AUDIT_TABLE])
    await createTable(client, TableName, ['account', 'id']);
};

let created: Promise<void> | undefined;

/**
 * Tables like those of keys, members and the audit log, without the indexes of members. The files of a group share them
 * and have accounts of their own.
 */
export const createPeopleTables = (client: DynamoDBClient): Promise<void> => {
  created ??= createPeople(client);
  return created;
};

/** As in the table; added at the time that most tests take for now. */
export const MEMBER: Member = aStoredMember({ addedAt: 1_800_000_000_000 });

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
