import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, oneOf, optional, text, time } from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { byAccount, dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { SessionAdministration, StoredLink } from '../domain/administration.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { ROLES } from '../domain/roles.ts';
import type { Session, SessionRepository } from '../domain/session.ts';
import type { AuditTrail } from './audit-trail.ts';

/** Undefined for an unused link. */
const readSession = (item: Attributes): Session | undefined =>
  item.secretHash === undefined
    ? undefined
    : ({
        id: text(item, 'id'),
        account: text(item, 'account'),
        createdAt: time(item, 'createdAt'),
        expiresAt: time(item, 'expiresAt'),
        endsAt: time(item, 'endsAt'),
        renewAt: time(item, 'renewAt'),
        secretHash: text(item, 'secretHash'),
        role: oneOf(item, 'role', ROLES),
        personId: optional(item, 'personId', text),
        createdBy: optional(item, 'createdBy', text),
        checkUntil: optional(item, 'checkUntil', time),
        sealedRefreshToken: optional(item, 'sealedRefreshToken', text),
        sealedSignOutUrl: optional(item, 'sealedSignOutUrl', text),
      } satisfies { readonly [Property in keyof Required<Session>]: Session[Property] });

/** An unused link, or the session that it has become. */
const readLink = (item: Attributes): StoredLink =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    role: oneOf(item, 'role', ROLES),
    personId: optional(item, 'personId', text),
    createdBy: optional(item, 'createdBy', text),
    createdAt: time(item, 'createdAt'),
    linkUntil: optional(item, 'linkUntil', time),
  }) satisfies { readonly [Property in keyof Required<StoredLink>]: StoredLink[Property] };

/** When DynamoDB may remove the item. */
export const removalTime = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export const dynamoSessions = (client: DynamoDBClient, table: string): SessionRepository => ({
  find: (id) => dynamoTable(client, table).get({ id }, readSession),
});

/** A transaction has at most 100 writes; each session has one of its own and an entry. */
const ENDED_AT_ONCE = 50;

type Ended = { readonly id: string; readonly isSession: boolean };

export const sessionAdministration = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
  audit?: Pick<AuditTrail, 'write'>,
): SessionAdministration => {
  /** True if all conditions held. */
  const write = async (
    changes: readonly TransactWriteItem[],
    entries: readonly AuditEntry[],
  ): Promise<boolean> => {
    if (entries.length > 0 && audit === undefined) throw new Error('there is no audit log for the entry');
    const failed =
      audit !== undefined && entries.length > 0
        ? await audit.write(changes, entries)
        : await writeTogether(client, changes);
    return failed.length === 0;
  };

  const items = dynamoTable(client, table, { logger, key: ['id'] });

  const removal = (account: string, id: string, when: string) =>
    removeWrite(table, { id }, { when, values: { account } });

  return {
    addLink: async (link, entry) => {
      const put = putWrite(table, encode({ ...link, expires: removalTime(link.linkUntil) }), IS_NEW);
      if (!(await write([put], entry === undefined ? [] : [entry])))
        throw new Error('there is a link with the same token');
    },

    findLink: (id) => items.get({ id }, readLink),

    redeem: ({ id }, { createdAt, expiresAt, endsAt, renewAt, secretHash }, entry) => {
      const change = {
        set: { secretHash, createdAt, expiresAt, endsAt, renewAt, expires: removalTime(expiresAt) },
        remove: ['linkUntil'],
        when: 'linkUntil > :now AND attribute_not_exists(secretHash)',
        values: { now: createdAt },
      };
      return write([updateWrite(table, { id }, change)], entry === undefined ? [] : [entry]);
    },

    list: (account) => items.list(byAccount(account), readSession),

    end: (account, id, entry) =>
      write([removal(account, id, 'account = :account')], entry === undefined ? [] : [entry]),

    endAll: async (account, toEntry) => {
      // Reads only the id, so that a session with corrupt attributes is ended too.
      const all = await items.list(
        byAccount(account),
        (item): Ended => ({ id: text(item, 'id'), isSession: item.secretHash !== undefined }),
      );
      const ended = all.filter(({ isSession }) => isSession);
      for (let start = 0; start < all.length; start += ENDED_AT_ONCE) {
        const some = all.slice(start, start + ENDED_AT_ONCE);
        // A session that another request has just ended does not stop the rest.
        const gone = 'attribute_not_exists(id) OR account = :account';
        await write(
          some.map(({ id }) => removal(account, id, gone)),
          toEntry === undefined ? [] : some.filter(({ isSession }) => isSession).map(({ id }) => toEntry(id)),
        );
      }
      return ended.length;
    },
  };
};
