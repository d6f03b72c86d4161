import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, oneOf, text, time } from '../aws/dynamo.ts';
import { MEMBER_SOURCES, type Member, type MemberRepository } from '../domain/person.ts';
import { ROLES } from '../domain/roles.ts';

/** Reads a stored member; throws if the item is corrupt. */
export const readMember = (item: Attributes): Member =>
  ({
    account: text(item, 'account'),
    id: text(item, 'id'),
    issuer: text(item, 'issuer'),
    subject: text(item, 'subject'),
    email: text(item, 'email'),
    name: text(item, 'name'),
    role: oneOf(item, 'role', ROLES),
    source: oneOf(item, 'source', MEMBER_SOURCES),
    addedAt: time(item, 'addedAt'),
  }) satisfies { readonly [Property in keyof Required<Member>]: Member[Property] };

export const dynamoMembers = (client: DynamoDBClient, table: string): MemberRepository => ({
  find: async (account, personId) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ account, id: personId }), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : readMember(Item);
  },
});
