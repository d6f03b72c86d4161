import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as stored from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { checkWrite, IS_NEW, putWrite, removeWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import {
  type Invitation,
  MEMBER_SOURCES,
  type Member,
  type MemberRepository,
  normalizeEmail,
  SINCE,
} from '../domain/person.ts';
import type { PersonDirectory } from '../domain/provider.ts';
import { isAtLeast, MAKER_ROLES, ROLES, type Role } from '../domain/roles.ts';

/** Reads a stored member; throws if the item is corrupt. */
export const readMember = (item: stored.Attributes): Member =>
  ({
    ...stored.all(item, stored.text, 'account', 'id', 'issuer', 'subject', 'email', 'name'),
    role: stored.oneOf(item, 'role', ROLES),
    source: stored.oneOf(item, 'source', MEMBER_SOURCES),
    addedAt: stored.time(item, 'addedAt'),
    ...stored.allOptional(item, stored.time, 'memberSince', 'adminSince', 'refusedAt', 'lastSignInAt'),
  }) satisfies stored.Complete<Member>;

/** Reads a stored invitation; throws if the item is corrupt. */
export const readInvitation = (item: stored.Attributes): Invitation =>
  ({
    ...stored.all(item, stored.text, 'account', 'id', 'email', 'tokenHash'),
    ...stored.all(item, stored.time, 'createdAt', 'expiresAt'),
    role: stored.oneOf(item, 'role', ROLES),
    invitedBy: stored.optional(item, 'invitedBy', stored.text),
  }) satisfies stored.Complete<Invitation>;

/** Without the feature people: what people did while the service had them does not count any more. */
const NOBODY = {
  find: async () => undefined,
  list: async () => [],
  listByPerson: async () => [],
  findInvitation: async () => undefined,
  listInvitationsByEmail: async () => [],
};

export const dynamoMembers = (client: DynamoDBClient, table: string | undefined): MemberRepository =>
  table === undefined
    ? NOBODY
    : { find: (account, id) => dynamoTable(client, table).get({ account, id }, readMember) };

/** Items of one kind: the table has members, invitations, and lists of people's keys. */
export const withPrefix = (account: string, prefix: 'user_' | 'invite_') => ({
  where: 'account = :account AND begins_with(id, :prefix)',
  values: { account, prefix },
});

type MemberDirectory = PersonDirectory & {
  /** The members of an account, by id. */
  list(account: string): Promise<readonly Member[]>;
};

/** Finds the accounts and the invitations of a person who signs in. */
export const memberDirectory = (
  client: DynamoDBClient,
  table: string | undefined,
  logger: Pick<Logger, 'error'>,
): MemberDirectory => {
  if (table === undefined) return NOBODY;
  const items = dynamoTable(client, table, { logger, key: ['account', 'id'] });
  return {
    ...dynamoMembers(client, table),

    list: (account) => items.list({ ...withPrefix(account, 'user_'), consistent: true }, readMember),

    /** The memberships of a person, by account. */
    listByPerson: (id) => items.list({ index: 'by-person', where: 'id = :id', values: { id } }, readMember),

    findInvitation: (account, id) => items.get({ account, id }, readInvitation),

    /** The invitations of an address in all accounts, including expired ones that are not removed yet. */
    listInvitationsByEmail: (email) =>
      items.list(
        {
          index: 'by-email',
          where: 'invitedEmail = :email',
          values: { email: normalizeEmail(email) },
        },
        readInvitation,
      ),
  };
};

/** Only people change people, so nothing leads here without the feature. */
export const requirePeople = (table: string | undefined): string => {
  if (table === undefined) throw new Error('the feature people is not part of this stack');
  return table;
};

/** The condition of `stillGrants`, or of `stillAdmits`, for a transaction that gives something lasting. */
export const requireRight = (
  table: string,
  { account, id, right, madeAt }: { account: string; id: string; right: Role; madeAt: number },
  isConfirmed = false,
): TransactWriteItem => {
  const roles = ROLES.filter((role) => isAtLeast(role, right));
  const since = SINCE[right];
  const confirmed = isConfirmed ? ' AND attribute_not_exists(refusedAt)' : '';
  return checkWrite(
    table,
    { account, id },
    {
      when: `#role IN (${roles.map((role) => `:${role}`).join(', ')}) AND addedAt <= :madeAt AND (attribute_not_exists(${since}) OR ${since} <= :madeAt)${confirmed}`,
      values: { madeAt, ...Object.fromEntries(roles.map((role) => [role, role])) },
    },
  );
};

/** Writes for a transaction, together with their audit entries. */
export const memberWrites = (table: string) => ({
  /** Fails if the person is a member of the account already. */
  addMember: (member: Member): TransactWriteItem => putWrite(table, stored.encode(member), IS_NEW),

  /** Replaces a member that was read before; fails if the role or its source changed since, or if it was removed. */
  putMember: (member: Member, { role, source }: Pick<Member, 'role' | 'source'>): TransactWriteItem =>
    putWrite(table, stored.encode(member), {
      when: '#role = :role AND #source = :source',
      values: { role, source },
    }),

  /** Fails if the member was removed, or its role now has another source. */
  removeMember: ({ account, id, source }: Pick<Member, 'account' | 'id' | 'source'>): TransactWriteItem =>
    removeWrite(table, { account, id }, { when: '#source = :source', values: { source } }),

  addInvitation: (invitation: Invitation): TransactWriteItem => {
    const item = {
      ...invitation,
      // Only invitations with an address are in the index by-email; a key cannot be empty.
      invitedEmail: invitation.email === '' ? undefined : invitation.email,
      expires: Math.ceil(invitation.expiresAt / 1000),
    };
    return putWrite(table, stored.encode(item), IS_NEW);
  },

  /**
   * Removes a pending invitation, so that it is accepted once; fails if it was accepted, deleted or has expired, or if
   * the inviter may not invite any more.
   */
  acceptInvitation: (
    { account, id, tokenHash, invitedBy, createdAt }: Invitation,
    now: number,
  ): TransactWriteItem[] => {
    const isPending = { when: 'tokenHash = :hash AND expiresAt > :now', values: { hash: tokenHash, now } };
    const removal = removeWrite(table, { account, id }, isPending);
    if (invitedBy === undefined) return [removal];
    const right = { account, id: invitedBy, right: MAKER_ROLES.invitation, madeAt: createdAt };
    return [removal, requireRight(table, right, true)];
  },
});
