import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as stored from '../../platform/aws/attributes.ts';
import { byAccount, dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { SessionAdministration, StoredLink } from '../domain/administration.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { ROLES } from '../domain/roles.ts';
import type { Session, SessionRepository } from '../domain/session.ts';
import type { AuditTrail } from './audit-trail.ts';

/** Undefined for an unused link. */
const readSession = (item: stored.Attributes): Session | undefined =>
  item.secretHash === undefined
    ? undefined
    : ({
        ...stored.all(item, stored.text, 'id', 'account', 'secretHash'),
        ...stored.all(item, stored.time, 'createdAt', 'expiresAt', 'endsAt', 'renewAt'),
        role: stored.oneOf(item, 'role', ROLES),
        ...stored.allOptional(
          item,
          stored.text,
          'personId',
          'createdBy',
          'sealedRefreshToken',
          'sealedSignOutUrl',
        ),
        checkUntil: stored.optional(item, 'checkUntil', stored.time),
      } satisfies stored.Complete<Session>);

/** An unused link, or the session that it has become. */
const readLink = (item: stored.Attributes): StoredLink =>
  ({
    ...stored.all(item, stored.text, 'id', 'account'),
    ...stored.allOptional(item, stored.text, 'personId', 'createdBy'),
    role: stored.oneOf(item, 'role', ROLES),
    createdAt: stored.time(item, 'createdAt'),
    linkUntil: stored.optional(item, 'linkUntil', stored.time),
  }) satisfies stored.Complete<StoredLink>;

/** When DynamoDB may remove the item. */
export const removalTime = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export const dynamoSessions = (client: DynamoDBClient, table: string): SessionRepository => ({
  find: (id) => dynamoTable(client, table).get({ id }, readSession),
});

/** A transaction has at most 100 writes; each session has one of its own and an entry. */
const ENDED_AT_ONCE = 50;

/** Only lists sessions, for functions that do not change them. */
export const dynamoSessionList = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): Pick<SessionAdministration, 'list'> => ({
  list: (account) =>
    dynamoTable(client, table, { logger, key: ['id'] }).list(byAccount(account), readSession),
});

export const sessionAdministration = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
  audit: Pick<AuditTrail, 'write'>,
): SessionAdministration => {
  /** True if all conditions held. */
  const write = async (change: TransactWriteItem, entry: AuditEntry): Promise<boolean> =>
    (await audit.write([change], entry)).length === 0;

  const items = dynamoTable(client, table, { logger, key: ['id'] });

  const removal = (account: string, id: string, when: string) =>
    removeWrite(table, { id }, { when, values: { account } });

  return {
    ...dynamoSessionList(client, table, logger),

    addLink: async (link, entry) => {
      const put = putWrite(table, stored.encode({ ...link, expires: removalTime(link.linkUntil) }), IS_NEW);
      if (!(await write(put, entry))) throw new Error('there is a link with the same token');
    },

    findLink: (id) => items.get({ id }, readLink),

    redeem: ({ id }, { createdAt, expiresAt, endsAt, renewAt, secretHash }, entry) => {
      const change = {
        set: { secretHash, createdAt, expiresAt, endsAt, renewAt, expires: removalTime(expiresAt) },
        remove: ['linkUntil'],
        when: 'linkUntil > :now AND attribute_not_exists(secretHash)',
        values: { now: createdAt },
      };
      return write(updateWrite(table, { id }, change), entry);
    },

    end: (account, id, entry) => write(removal(account, id, 'account = :account'), entry),

    endAll: async (account, toEntry) => {
      // Reads only the id, so that a session with corrupt attributes is ended too.
      const all = await items.list(byAccount(account), (item) => ({
        id: stored.text(item, 'id'),
        isSession: item.secretHash !== undefined,
      }));
      for (let start = 0; start < all.length; start += ENDED_AT_ONCE) {
        const some = all.slice(start, start + ENDED_AT_ONCE);
        // A session that another request has just ended does not stop the rest.
        const gone = 'attribute_not_exists(id) OR account = :account';
        await audit.write(
          some.map(({ id }) => removal(account, id, gone)),
          some.filter(({ isSession }) => isSession).map(({ id }) => toEntry(id)),
        );
      }
    },
  };
};
