import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, oneOf, optional, text, time } from '../../platform/aws/attributes.ts';
import { allItems, type ReadItem, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import {
  type Invitation,
  MEMBER_SOURCES,
  type Member,
  type MemberRepository,
  normalizeEmail,
  SINCE,
} from '../domain/person.ts';
import { isAtLeast, MAKER_ROLES, ROLES, type Role } from '../domain/roles.ts';

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
    memberSince: optional(item, 'memberSince', time),
    adminSince: optional(item, 'adminSince', time),
    refusedAt: optional(item, 'refusedAt', time),
    lastSignInAt: optional(item, 'lastSignInAt', time),
  }) satisfies { readonly [Property in keyof Required<Member>]: Member[Property] };

/** Reads a stored invitation; throws if the item is corrupt. */
export const readInvitation = (item: Attributes): Invitation =>
  ({
    account: text(item, 'account'),
    id: text(item, 'id'),
    email: text(item, 'email'),
    role: oneOf(item, 'role', ROLES),
    invitedBy: optional(item, 'invitedBy', text),
    createdAt: time(item, 'createdAt'),
    expiresAt: time(item, 'expiresAt'),
    tokenHash: text(item, 'tokenHash'),
  }) satisfies { readonly [Property in keyof Required<Invitation>]: Invitation[Property] };

export const dynamoMembers = (client: DynamoDBClient, table: string): MemberRepository => ({
  find: async (account, personId) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ account, id: personId }), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : readMember(Item);
  },
});

/** Finds the accounts and the invitations of a person who signs in. */
export const memberDirectory = (client: DynamoDBClient, table: string, logger: Pick<Logger, 'error'>) => {
  const query = <T>(IndexName: string, attribute: string, value: string, read: ReadItem<T>): Promise<T[]> =>
    Array.fromAsync(
      allItems(
        (start) =>
          client.send(
            new QueryCommand({
              TableName: table,
              IndexName,
              KeyConditionExpression: '#key = :value',
              ExpressionAttributeNames: { '#key': attribute },
              ExpressionAttributeValues: encode({ ':value': value }),
              ExclusiveStartKey: start,
            }),
          ),
        skipUnreadable({ logger, table, key: ['account', 'id'] }, read),
      ),
    );

  return {
    ...dynamoMembers(client, table),

    /** The members of an account, by id. */
    listByAccount: (account: string): Promise<Member[]> =>
      Array.fromAsync(
        allItems(
          (start) =>
            client.send(
              new QueryCommand({
                TableName: table,
                KeyConditionExpression: 'account = :account AND begins_with(id, :prefix)',
                ExpressionAttributeValues: encode({ ':account': account, ':prefix': 'user_' }),
                ExclusiveStartKey: start,
              }),
            ),
          skipUnreadable({ logger, table, key: ['account', 'id'] }, readMember),
        ),
      ),

    /** The memberships of a person, by account. */
    listByPerson: (personId: string): Promise<Member[]> => query('by-person', 'id', personId, readMember),

    findInvitation: async (account: string, id: string): Promise<Invitation | undefined> => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: encode({ account, id }), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : readInvitation(Item);
    },

    /** The invitations of an address in all accounts, including expired ones that are not removed yet. */
    listInvitationsByEmail: (email: string): Promise<Invitation[]> =>
      query('by-email', 'invitedEmail', normalizeEmail(email), readInvitation),
  };
};

export type MemberDirectory = ReturnType<typeof memberDirectory>;

/** The condition of `stillGrants`, or of `stillAdmits`, for a transaction that gives something lasting. */
export const requireRight = (
  table: string,
  { account, id, right, madeAt }: { account: string; id: string; right: Role; madeAt: number },
  isConfirmed = false,
): TransactWriteItem => {
  const roles = ROLES.filter((role) => isAtLeast(role, right));
  const since = SINCE[right];
  return {
    ConditionCheck: {
      TableName: table,
      Key: encode({ account, id }),
      ConditionExpression: `#role IN (${roles.map((role) => `:${role}`).join(', ')}) AND addedAt <= :madeAt AND (attribute_not_exists(${since}) OR ${since} <= :madeAt)${isConfirmed ? ' AND attribute_not_exists(refusedAt)' : ''}`,
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: encode({
        ':madeAt': madeAt,
        ...Object.fromEntries(roles.map((role) => [`:${role}`, role])),
      }),
    },
  };
};

/** Writes for a transaction, together with their audit entries. */
export const memberWrites = (table: string) => ({
  /** Fails if the person is a member of the account already. */
  addMember: (member: Member): TransactWriteItem => ({
    Put: { TableName: table, Item: encode(member), ConditionExpression: 'attribute_not_exists(id)' },
  }),

  /** Replaces a member that was read before; fails if the role or its source changed since, or if it was removed. */
  putMember: (member: Member, { role, source }: Pick<Member, 'role' | 'source'>): TransactWriteItem => ({
    Put: {
      TableName: table,
      Item: encode(member),
      ConditionExpression: '#role = :role AND #source = :source',
      ExpressionAttributeNames: { '#role': 'role', '#source': 'source' },
      ExpressionAttributeValues: encode({ ':role': role, ':source': source }),
    },
  }),

  /** Fails if the member was removed, or its role now has another source. */
  removeMember: ({ account, id, source }: Pick<Member, 'account' | 'id' | 'source'>): TransactWriteItem => ({
    Delete: {
      TableName: table,
      Key: encode({ account, id }),
      ConditionExpression: '#source = :source',
      ExpressionAttributeNames: { '#source': 'source' },
      ExpressionAttributeValues: encode({ ':source': source }),
    },
  }),

  addInvitation: (invitation: Invitation): TransactWriteItem => ({
    Put: {
      TableName: table,
      Item: encode({
        ...invitation,
        // Only invitations with an address are in the index by-email; a key cannot be empty.
        invitedEmail: invitation.email === '' ? undefined : invitation.email,
        expires: Math.ceil(invitation.expiresAt / 1000),
      }),
      ConditionExpression: 'attribute_not_exists(id)',
    },
  }),

  /**
   * Removes a pending invitation, so that it is accepted once; fails if it was accepted, deleted or has expired, or if
   * the inviter may not invite any more.
   */
  acceptInvitation: (
    { account, id, tokenHash, invitedBy, createdAt }: Invitation,
    now: number,
  ): TransactWriteItem[] => [
    {
      Delete: {
        TableName: table,
        Key: encode({ account, id }),
        ConditionExpression: 'tokenHash = :hash AND expiresAt > :now',
        ExpressionAttributeValues: encode({ ':hash': tokenHash, ':now': now }),
      },
    },
    ...(invitedBy === undefined
      ? []
      : [
          requireRight(
            table,
            { account, id: invitedBy, right: MAKER_ROLES.invitation, madeAt: createdAt },
            true,
          ),
        ]),
  ],
});
