import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoTable } from '../../platform/aws/table.ts';
import { checkWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type {
  ChangeOutcome,
  InvitationRepository,
  PeopleRepository,
  RequiredAdmins,
} from '../domain/people.ts';
import { isGranted } from '../domain/person.ts';
import { mayHaveKeys, type Role } from '../domain/roles.ts';
import { auditTrail } from './audit-trail.ts';
import { memberDirectory, memberWrites, readInvitation, requireRight, withPrefix } from './dynamo-members.ts';
import { ownedKeysId } from './key-administration.ts';

type PeopleTables = { readonly MEMBER_TABLE: string; readonly AUDIT_TABLE: string };
type MemberKey = { readonly account: string; readonly id: string };

const isRole = (role: Role) => ({ when: '#role = :wasRole', values: { wasRole: role } });

/** Two admins who demote each other at once cannot both succeed. */
const requireAdmin = (
  table: string,
  account: string,
  id: string | undefined,
  madeAt: number,
): TransactWriteItem[] =>
  id === undefined ? [] : [requireRight(table, { account, id, right: 'admin', madeAt })];

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

  const ownedKeys = ({ account, id }: MemberKey) => ({ account, id: ownedKeysId(id) });
  const hasNone = { when: 'attribute_not_exists(hashes)' };

  return {
    ...memberDirectory(client, MEMBER_TABLE, logger),

    changeRole: ({ account, id, role: from }, changed, admins, entry) => {
      const { role, memberSince, adminSince } = changed;
      const change = updateWrite(
        MEMBER_TABLE,
        { account, id },
        { set: { role, memberSince, adminSince }, ...isRole(from) },
      );
      const withoutKeys = mayHaveKeys(role)
        ? []
        : [checkWrite(MEMBER_TABLE, ownedKeys({ account, id }), hasNone)];
      return write([change, ...withoutKeys], admins, entry);
    },

    remove: ({ account, id, role }, admins, entry) =>
      write(
        [
          removeWrite(MEMBER_TABLE, { account, id }, isRole(role)),
          removeWrite(MEMBER_TABLE, ownedKeys({ account, id }), hasNone),
        ],
        admins,
        entry,
      ),
  };
};

/** Only lists invitations, for functions that do not change them. */
export const dynamoInvitationList = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): Pick<InvitationRepository, 'list'> => ({
  list: async (account) => {
    const items = dynamoTable(client, table, { logger, key: ['account', 'id'] });
    const [invitations, members] = await Promise.all([
      items.list({ ...withPrefix(account, 'invite_'), consistent: true }, readInvitation),
      memberDirectory(client, table, logger).list(account),
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
      const deletes = replaced.map(({ account, id }) => removeWrite(MEMBER_TABLE, { account, id }));
      const { account, invitedBy, createdAt } = invitation;
      const checks = requireAdmin(MEMBER_TABLE, account, invitedBy, createdAt);
      const failed = await trail.write([put, ...checks, ...deletes], entries);
      if (failed[0] !== undefined) throw new Error(`there is an invitation ${invitation.id} already`);
      return failed.length === 0;
    },

    remove: async ({ account, id }, entry) => {
      const removal = removeWrite(MEMBER_TABLE, { account, id }, { when: 'attribute_exists(id)' });
      return (await trail.write([removal], entry)).length === 0;
    },
  };
};
