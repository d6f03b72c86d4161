import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import type { MemberRepository } from '../../identity/domain/person.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { byAccount, dynamoTable } from '../../platform/aws/table.ts';
import { putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { firstPage } from '../../platform/domain/pages.ts';
import {
  MAX_SHARES,
  SHARE_SECONDS,
  SHARED_KINDS,
  type Share,
  type SharedName,
  type ShareRepository,
  shareCheck,
} from '../domain/share.ts';

/**
 * Share links in DynamoDB, keyed by an id that the token leads to. One more item per account counts its links, so that
 * the limit holds even if many are created at once. Links expire without being uncounted: when the limit is reached,
 * those that are left are counted again.
 */

const readShare = (entry: stored.Attributes): Share => {
  const item = stored.map(entry, 'item');
  return {
    ...stored.all(entry, stored.text, 'id', 'tokenHash', 'account', 'keyId'),
    personId: stored.optional(entry, 'personId', stored.text),
    item: {
      kind: stored.oneOf(item, 'kind', SHARED_KINDS),
      id: stored.text(item, 'id'),
      createdAt: stored.time(item, 'createdAt'),
    },
    showsPrompt: stored.boolean(entry, 'showsPrompt'),
    ...stored.all(entry, stored.time, 'createdAt', 'expiresAt'),
  } satisfies stored.Complete<Share>;
};

const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export const toItem = (share: Share): stored.Attributes =>
  stored.encode({ ...share, expires: toSeconds(share.expiresAt) });

const counterKey = (account: string) => ({ id: `count#${account}` });

/** No link outlives the counter, because each new one extends it by the longest lifetime. */
const countOne = (table: string, { account, createdAt }: Share, most: number) =>
  updateWrite(table, counterKey(account), {
    set: { expires: toSeconds(createdAt) + SHARE_SECONDS.most },
    add: { live: 1 },
    when: 'attribute_not_exists(live) OR live < :most',
    values: { most },
    returnsItem: true,
  });

export const dynamoShares = (client: DynamoDBClient, table: string): Pick<ShareRepository, 'find'> => ({
  find: (id) => dynamoTable(client, table).get({ id }, readShare),
});

export const dynamoShareRemoval = (table: string, audit: AuditTrail): Pick<ShareRepository, 'remove'> => ({
  remove: async (account, id, now, entry) => {
    const removal = removeWrite(
      table,
      { id },
      { when: 'account = :account AND expiresAt > :now', values: { account, now } },
    );
    const uncount = updateWrite(table, counterKey(account), { add: { live: -1 } });
    return (await audit.write([removal, uncount], entry)).length === 0;
  },
});

type Selection = { readonly after?: string | undefined; readonly item?: SharedName | undefined };

/** The live links of an account that still count, newest first; DynamoDB removes expired ones some time later. */
const liveShares = (client: DynamoDBClient, table: string, logger: Logger, members: MemberRepository) =>
  async function* (account: string, now: number, { after, item }: Selection = {}): AsyncGenerator<Share> {
    const first = after === undefined ? undefined : stored.encode({ account, id: after });
    const { items } = dynamoTable(client, table, { logger, key: ['id'] });
    const counts = shareCheck(members);
    for await (const share of items({ ...byAccount(account), after: first }, readShare)) {
      const matches = item === undefined || (share.item.kind === item.kind && share.item.id === item.id);
      if (now < share.expiresAt && matches && (await counts(share))) yield share;
    }
  };

export const dynamoSharePages = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
  members: MemberRepository,
): Pick<ShareRepository, 'page'> => ({
  page: (account, { limit, ...selection }, now) =>
    firstPage(liveShares(client, table, logger, members)(account, now, selection), limit),
});

export const dynamoNewShares = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
  {
    audit,
    members,
    most = MAX_SHARES,
  }: { readonly audit: AuditTrail; readonly members: MemberRepository; readonly most?: number },
): Pick<ShareRepository, 'add'> => {
  /** Undefined if the link was added; otherwise the number of links that were counted. */
  const tryToAdd = async (share: Share, entry: AuditEntry): Promise<number | undefined> => {
    const [isTaken, counter] = await audit.write(
      [putWrite(table, toItem(share), { when: 'attribute_not_exists(id)' }), countOne(table, share, most)],
      entry,
    );
    if (isTaken !== undefined) throw new Error('the id of a new share is taken');
    return counter && stored.number(counter, 'live');
  };

  const countLive = async ({ account, createdAt }: Share): Promise<number> => {
    const shares = liveShares(client, table, logger, members)(account, createdAt);
    return (await Array.fromAsync(shares)).length;
  };

  /** Fails if links were added or revoked in the meantime; then the count is different anyway. */
  const correctCount = (account: string, counted: number, live: number): Promise<boolean> =>
    dynamoTable(client, table).update(counterKey(account), {
      set: { live },
      when: 'live = :counted',
      values: { counted },
    });

  return {
    add: async (share, entry) => {
      const counted = await tryToAdd(share, entry);
      if (counted === undefined) return true;
      const live = await countLive(share);
      if (live >= most) return false;
      await correctCount(share.account, counted, live);
      return (await tryToAdd(share, entry)) === undefined;
    },
  };
};
