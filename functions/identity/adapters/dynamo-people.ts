import { type DynamoDBClient, QueryCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import { allItems, type ReadItem, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type {
  ChangeOutcome,
  InvitationRepository,
  PeopleRepository,
  RequiredAdmins,
} from '../domain/people.ts';
import { isGranted } from '../domain/person.ts';
import { mayHaveKeys } from '../domain/roles.ts';
import { auditTrail } from './audit-trail.ts';
import { dynamoMembers, memberWrites, readInvitation, readMember, requireRight } from './dynamo-members.ts';
import { ownedKeysId } from './key-administration.ts';

type PeopleTables = { readonly MEMBER_TABLE: string; readonly AUDIT_TABLE: string };
type MemberKey = { readonly account: string; readonly id: string };

const isRole = (name: string) => ({
  ConditionExpression: `#role = :${name}`,
  ExpressionAttributeNames: { '#role': 'role' },
});

/** Two admins who demote each other at once cannot both succeed. */
const requireAdmin = (
  table: string,
  account: string,
  id: string | undefined,
  madeAt: number,
): TransactWriteItem[] =>
  id === undefined ? [] : [requireRight(table, { account, id, right: 'admin', madeAt })];

/** Items of one kind: the table has members, invitations, and lists of people's keys. */
const listItems = <T>(
  client: DynamoDBClient,
  table: string,
  { account, prefix, read }: { account: string; prefix: 'user_' | 'invite_'; read: ReadItem<T> },
): Promise<T[]> =>
  Array.fromAsync(
    allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'account = :account AND begins_with(id, :prefix)',
            ExpressionAttributeValues: encode({ ':account': account, ':prefix': prefix }),
            ConsistentRead: true,
            ExclusiveStartKey: start,
          }),
        ),
      read,
    ),
  );

/** Only lists members, for functions that do not change them. */
export const dynamoMemberList = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): Pick<PeopleRepository, 'list'> => ({
  list: (account) =>
    listItems(client, table, {
      account,
      prefix: 'user_',
      read: skipUnreadable({ logger, table, key: ['account', 'id'] }, readMember),
    }),
});

export const dynamoPeople = (
  client: DynamoDBClient,
  { MEMBER_TABLE, AUDIT_TABLE }: PeopleTables,
  logger: Logger,
): PeopleRepository => {
  const trail = auditTrail(client, AUDIT_TABLE, logger);

  /** The check that the acting person is an admin comes last. */
  const write = async (
    changes: readonly TransactWriteItem[],
    { acting, remaining }: RequiredAdmins,
    entry: AuditEntry,
  ): Promise<ChangeOutcome> => {
    const { account, at } = entry;
    const isActing = requireAdmin(MEMBER_TABLE, account, acting, at);
    const others = [...changes, ...requireAdmin(MEMBER_TABLE, account, remaining, at)];
    const failed = await trail.write([...others, ...isActing], entry);
    if (failed.length === 0) return 'done';
    return failed[others.length] === undefined ? 'changed' : 'refused';
  };

  const ownedKeys = ({ account, id }: MemberKey) => ({
    TableName: MEMBER_TABLE,
    Key: encode({ account, id: ownedKeysId(id) }),
    ConditionExpression: 'attribute_not_exists(hashes)',
  });

  return {
    ...dynamoMembers(client, MEMBER_TABLE),
    ...dynamoMemberList(client, MEMBER_TABLE, logger),

    changeRole: ({ account, id, role: from }, { role, memberSince, adminSince }, admins, entry) => {
      const times = { memberSince, adminSince };
      const values = encode({
        ':role': role,
        ':from': from,
        ':memberSince': memberSince,
        ':adminSince': adminSince,
      });
      const [kept, lost] = [true, false].map((isKept) =>
        Object.keys(times).filter((name) => (values[`:${name}`] !== undefined) === isKept),
      );
      const Update = {
        TableName: MEMBER_TABLE,
        Key: encode({ account, id }),
        UpdateExpression: [
          `SET ${['#role = :role', ...(kept ?? []).map((name) => `${name} = :${name}`)].join(', ')}`,
          ...(lost === undefined || lost.length === 0 ? [] : [`REMOVE ${lost.join(', ')}`]),
        ].join(' '),
        ...isRole('from'),
        ExpressionAttributeValues: values,
      };
      const withoutKeys = mayHaveKeys(role) ? [] : [{ ConditionCheck: ownedKeys({ account, id }) }];
      return write([{ Update }, ...withoutKeys], admins, entry);
    },

    remove: ({ account, id, role }, admins, entry) => {
      const Delete = {
        TableName: MEMBER_TABLE,
        Key: encode({ account, id }),
        ...isRole('from'),
        ExpressionAttributeValues: encode({ ':from': role }),
      };
      return write([{ Delete }, { Delete: ownedKeys({ account, id }) }], admins, entry);
    },
  };
};

/** Only lists invitations, for functions that do not change them. */
export const dynamoInvitationList = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): Pick<InvitationRepository, 'list'> => ({
  list: async (account) => {
    const read = skipUnreadable({ logger, table, key: ['account', 'id'] }, readInvitation);
    const [invitations, members] = await Promise.all([
      listItems(client, table, { account, prefix: 'invite_', read }),
      dynamoMemberList(client, table, logger).list(account),
    ]);
    return invitations.filter((each) =>
      isGranted(
        each,
        members.find(({ id }) => id === each.invitedBy),
      ),
    );
  },
});

export const dynamoInvitations = (
  client: DynamoDBClient,
  { MEMBER_TABLE, AUDIT_TABLE }: PeopleTables,
  logger: Logger,
): InvitationRepository => {
  const trail = auditTrail(client, AUDIT_TABLE, logger);
  return {
    ...dynamoInvitationList(client, MEMBER_TABLE, logger),

    add: async (invitation, replaced, entries) => {
      const put = memberWrites(MEMBER_TABLE).addInvitation(invitation);
      const deletes = replaced.map(({ account, id }) => ({
        Delete: { TableName: MEMBER_TABLE, Key: encode({ account, id }) },
      }));
      const { account, invitedBy, createdAt } = invitation;
      const checks = requireAdmin(MEMBER_TABLE, account, invitedBy, createdAt);
      const failed = await trail.write([put, ...checks, ...deletes], entries);
      if (failed[0] !== undefined) throw new Error(`there is an invitation ${invitation.id} already`);
      return failed.length === 0;
    },

    remove: async ({ account, id }, entry) => {
      const Delete = {
        TableName: MEMBER_TABLE,
        Key: encode({ account, id }),
        ConditionExpression: 'attribute_exists(id)',
      };
      return (await trail.write([{ Delete }], entry)).length === 0;
    },
  };
};
