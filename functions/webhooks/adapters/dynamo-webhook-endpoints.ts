import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import * as stored from '../../platform/aws/attributes.ts';
import type { SealedText } from '../../platform/aws/secret.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { type Change, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { isSameHealth } from '../domain/webhook-delivery.ts';
import { toSecretHint } from '../domain/webhook-signature.ts';
import type { WebhookEndpoints } from '../domain/webhook-stores.ts';
import {
  DISABLED_REASONS,
  MAX_ENDPOINTS,
  WEBHOOK_EVENT_TYPES,
  type WebhookDescription,
  type WebhookEndpoint,
} from '../domain/webhooks.ts';

/**
 * Endpoints in DynamoDB: their properties are attributes, and their secrets are encrypted. An item with the id `count`
 * counts the endpoints of an account, so that the limit is exact even if many are created at once.
 */

/** The prefix of endpoint ids; the counter does not have it. */
const ENDPOINT_IDS = 'we_';
const COUNTER = 'count';

const readDisabled = (item: stored.Attributes): WebhookDescription['disabled'] => {
  const disabled = stored.optional(item, 'disabled', stored.map);
  return (
    disabled && {
      at: stored.time(disabled, 'at'),
      reason: stored.oneOf(disabled, 'reason', DISABLED_REASONS),
    }
  );
};

const readDescription = (item: stored.Attributes): WebhookDescription =>
  ({
    ...stored.all(item, stored.text, 'id', 'account', 'name', 'url', 'secretHint'),
    ...stored.all(item, stored.time, 'createdAt', 'updatedAt'),
    eventTypes: stored.list(item, 'eventTypes', (...at) => stored.oneOf(...at, WEBHOOK_EVENT_TYPES)),
    failingSince: stored.optional(item, 'failingSince', stored.time),
    respondsQuickly: stored.optional(item, 'respondsQuickly', stored.boolean),
    disabled: readDisabled(item),
  }) satisfies stored.Complete<WebhookDescription>;

/** A secret can be decrypted only for its own endpoint. */
const sealingContext = ({ account, id }: { readonly account: string; readonly id: string }) =>
  ['webhook', account, id] as const;

const readEndpoint = async (item: stored.Attributes, sealed: SealedText): Promise<WebhookEndpoint> => {
  const { secretHint: _, ...description } = readDescription(item);
  const context = sealingContext(description);
  const old = stored.optional(item, 'oldSecret', stored.text);
  return {
    ...description,
    secret: await sealed.open(stored.text(item, 'secret'), context),
    oldSecret:
      old === undefined
        ? undefined
        : { value: await sealed.open(old, context), until: stored.time(item, 'oldSecretUntil') },
  };
};

/** Undefined for the counter. */
const readStored =
  <T>(client: DynamoDBClient, tableName: string, read: (item: stored.Attributes) => T | Promise<T>) =>
  async (account: string, id: string): Promise<T | undefined> =>
    id.startsWith(ENDPOINT_IDS) ? await dynamoTable(client, tableName).get({ account, id }, read) : undefined;

export const dynamoWebhookDescriptions = (
  client: DynamoDBClient,
  tableName: string,
  logger: Logger,
): Pick<WebhookEndpoints, 'describe' | 'list' | 'saveHealth'> => {
  const table = dynamoTable(client, tableName, { logger, key: ['account', 'id'] });
  return {
    describe: readStored(client, tableName, readDescription),

    list: (account) =>
      table.list(
        {
          where: 'account = :account AND begins_with(id, :ids)',
          values: { account, ids: ENDPOINT_IDS },
          newestFirst: true,
          consistent: true,
        },
        readDescription,
      ),

    saveHealth: async ({ disabled, failingSince, respondsQuickly, ...read }) => {
      await table.writeOnce((write_id) =>
        changeUnlessChanged(tableName, read, { set: { disabled, failingSince, respondsQuickly, write_id } }),
      );
    },
  };
};

/** Endpoints with their secrets, for functions that sign with them. */
export const dynamoWebhookEndpoints = (
  client: DynamoDBClient,
  table: string,
  sealed: SealedText,
  logger: Logger,
): Pick<WebhookEndpoints, 'describe' | 'find' | 'list' | 'saveHealth'> => ({
  ...dynamoWebhookDescriptions(client, table, logger),
  find: readStored(client, table, (item) => readEndpoint(item, sealed)),
});

/** Changes an endpoint on the condition that it has not changed since it was read. */
const changeUnlessChanged = (
  table: string,
  { account, id, updatedAt }: Pick<WebhookDescription, 'account' | 'id' | 'updatedAt'>,
  change: Change,
) =>
  updateWrite(
    table,
    { account, id },
    { ...change, when: 'updatedAt = :read', values: { ...change.values, read: updatedAt } },
  );

/** Changes by the owner. Each is one transaction with its audit entry. */
export const dynamoWebhookChanges = (
  table: string,
  audit: AuditTrail,
): Pick<WebhookEndpoints, 'change' | 'remove'> => ({
  change: async (next, read, entry) => {
    const { name, url, eventTypes, updatedAt, disabled, failingSince, respondsQuickly } = next;
    const health = isSameHealth(next, read) ? {} : { disabled, failingSince, respondsQuickly };
    const write = changeUnlessChanged(table, read, { set: { name, url, eventTypes, updatedAt, ...health } });
    return (await audit.write([write], entry)).length === 0;
  },

  remove: async (account, id, entry) => {
    if (!id.startsWith(ENDPOINT_IDS)) return false;
    const removal = removeWrite(table, { account, id }, { when: 'attribute_exists(secret)' });
    const count = updateWrite(table, { account, id: COUNTER }, { add: { endpoints: -1 } });
    return (await audit.write([removal, count], entry)).length === 0;
  },
});

export const dynamoWebhookSecrets = (
  table: string,
  sealed: SealedText,
  audit: AuditTrail,
): Pick<WebhookEndpoints, 'add' | 'rotate'> => ({
  add: async ({ secret, oldSecret: _, ...endpoint }, entry) => {
    const { account } = endpoint;
    const sealedSecret = await sealed.seal(secret, sealingContext(endpoint));
    const item = stored.encode({ ...endpoint, secret: sealedSecret, secretHint: toSecretHint(secret) });
    const addition = putWrite(table, item, { when: 'attribute_not_exists(id)' });
    const count = updateWrite(
      table,
      { account, id: COUNTER },
      {
        add: { endpoints: 1 },
        when: 'attribute_not_exists(endpoints) OR endpoints < :most',
        values: { most: MAX_ENDPOINTS },
      },
    );
    return (await audit.write([addition, count], entry)).length === 0;
  },

  rotate: async (read, { secret, updatedAt }, keepOldUntil, entry) => {
    const next = {
      secret: await sealed.seal(secret, sealingContext(read)),
      secretHint: toSecretHint(secret),
      updatedAt,
      oldSecretUntil: keepOldUntil,
    };
    const copies = ['oldSecret = secret', ...Object.keys(next).map((name) => `${name} = :${name}`)];
    const write = changeUnlessChanged(
      table,
      read,
      keepOldUntil === undefined
        ? { set: { ...next, oldSecret: undefined } }
        : { expression: `SET ${copies.join(', ')}`, values: next },
    );
    return (await audit.write([write], entry)).length === 0;
  },
});
