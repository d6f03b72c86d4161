import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import {
  type Attributes,
  boolean,
  encode,
  map,
  oneOf,
  optional,
  text,
  texts,
  time,
} from '../../platform/aws/attributes.ts';
import { conditionHeldOnce } from '../../platform/aws/contention.ts';
import { allItems, skipUnreadable } from '../../platform/aws/items.ts';
import type { SealedText } from '../../platform/aws/secret.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { toSecretHint } from '../domain/webhook-signature.ts';
import type {
  WebhookChanges,
  WebhookDescriptions,
  WebhookEndpoints,
  WebhookSecrets,
} from '../domain/webhook-stores.ts';
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

const readDisabled = (item: Attributes): WebhookDescription['disabled'] => {
  const disabled = optional(item, 'disabled', map);
  return disabled && { at: time(disabled, 'at'), reason: oneOf(disabled, 'reason', DISABLED_REASONS) };
};

const readDescription = (item: Attributes): WebhookDescription =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    url: text(item, 'url'),
    eventTypes: texts(item, 'eventTypes', WEBHOOK_EVENT_TYPES),
    secretHint: text(item, 'secretHint'),
    createdAt: time(item, 'createdAt'),
    updatedAt: time(item, 'updatedAt'),
    failingSince: optional(item, 'failingSince', time),
    respondsQuickly: optional(item, 'respondsQuickly', boolean),
    disabled: readDisabled(item),
  }) satisfies { readonly [Property in keyof Required<WebhookDescription>]: WebhookDescription[Property] };

/** A secret can be decrypted only for its own endpoint. */
const sealingContext = ({ account, id }: { readonly account: string; readonly id: string }) =>
  ['webhook', account, id] as const;

const readEndpoint = async (item: Attributes, sealed: SealedText): Promise<WebhookEndpoint> => {
  const { secretHint: _, ...description } = readDescription(item);
  const context = sealingContext(description);
  const old = optional(item, 'oldSecret', text);
  return {
    ...description,
    secret: await sealed.open(text(item, 'secret'), context),
    oldSecret:
      old === undefined
        ? undefined
        : { value: await sealed.open(old, context), until: time(item, 'oldSecretUntil') },
  };
};

const readItem = async (
  client: DynamoDBClient,
  TableName: string,
  account: string,
  id: string,
): Promise<Attributes | undefined> => {
  if (!id.startsWith(ENDPOINT_IDS)) return undefined;
  const Key = encode({ account, id });
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
};

/** Endpoints without their secrets. */
export const dynamoWebhookDescriptions = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): WebhookDescriptions => ({
  describe: async (account, id) => {
    const item = await readItem(client, table, account, id);
    return item && readDescription(item);
  },

  list: (account) => {
    const items = allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'account = :account AND begins_with(id, :ids)',
            ExpressionAttributeValues: encode({ ':account': account, ':ids': ENDPOINT_IDS }),
            ScanIndexForward: false,
            ConsistentRead: true,
            ExclusiveStartKey: start,
          }),
        ),
      skipUnreadable({ logger, table, key: ['account', 'id'] }, readDescription),
    );
    return Array.fromAsync(items);
  },

  saveHealth: async ({ disabled, failingSince, respondsQuickly, ...read }) => {
    await conditionHeldOnce((writeId) => {
      const health = { disabled, failingSince, respondsQuickly, write_id: writeId };
      return client.send(new UpdateItemCommand(changeUnlessChanged(table, read, health)));
    });
  },
});

/** Endpoints with their secrets, for functions that sign with them. */
export const dynamoWebhookEndpoints = (
  client: DynamoDBClient,
  table: string,
  sealed: SealedText,
  logger: Logger,
): WebhookEndpoints => ({
  ...dynamoWebhookDescriptions(client, table, logger),

  find: async (account, id) => {
    const item = await readItem(client, table, account, id);
    return item && readEndpoint(item, sealed);
  },
});

/**
 * Changes an endpoint on the condition that it has not changed since it was read. An undefined value removes the
 * attribute; each attribute in `copied` gets the previous value of another one.
 */
const changeUnlessChanged = (
  TableName: string,
  { account, id, updatedAt }: Pick<WebhookDescription, 'account' | 'id' | 'updatedAt'>,
  change: Parameters<typeof encode>[0],
  copied: Readonly<Record<string, string>> = {},
) => {
  const changes = Object.entries(change);
  const set = changes.filter(([, value]) => value !== undefined);
  const removed = changes.filter(([, value]) => value === undefined);
  const assignments = [
    ...set.map(([name]) => `#${name} = :${name}`),
    ...Object.entries(copied).map(([to, from]) => `#${to} = #${from}`),
  ];
  const removal = removed.length === 0 ? '' : ` REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`;
  const names = ['updatedAt', ...changes.map(([name]) => name), ...Object.entries(copied).flat()];
  return {
    TableName,
    Key: encode({ account, id }),
    UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
    ConditionExpression: '#updatedAt = :read',
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: encode({
      ':read': updatedAt,
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
};

/** Changes by the owner. Each is one transaction with its audit entry. */
export const dynamoWebhookChanges = (table: string, audit: AuditTrail): WebhookChanges => ({
  change: async (next, read, entry) => {
    const { name, url, eventTypes, updatedAt, disabled, failingSince, respondsQuickly } = next;
    const isHealthChanged =
      disabled !== read.disabled ||
      failingSince !== read.failingSince ||
      respondsQuickly !== read.respondsQuickly;
    const Update = changeUnlessChanged(table, read, {
      name,
      url,
      eventTypes,
      updatedAt,
      ...(isHealthChanged ? { disabled, failingSince, respondsQuickly } : {}),
    });
    return (await audit.write([{ Update }], entry)).length === 0;
  },

  remove: async (account, id, entry) => {
    if (!id.startsWith(ENDPOINT_IDS)) return false;
    const Key = encode({ account, id });
    const removal = { Delete: { TableName: table, Key, ConditionExpression: 'attribute_exists(secret)' } };
    return (await audit.write([removal, changeCount(table, account, -1)], entry)).length === 0;
  },
});

export const dynamoWebhookSecrets = (
  table: string,
  sealed: SealedText,
  audit: AuditTrail,
): WebhookSecrets => ({
  add: async ({ secret, oldSecret: _, ...endpoint }, entry) => {
    const Item = encode({
      ...endpoint,
      secret: await sealed.seal(secret, sealingContext(endpoint)),
      secretHint: toSecretHint(secret),
    });
    const addition = { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' } };
    const count = changeCount(table, endpoint.account, 1, MAX_ENDPOINTS);
    return (await audit.write([addition, count], entry)).length === 0;
  },

  rotate: async (read, { secret, updatedAt }, keepOldUntil, entry) => {
    const Update = changeUnlessChanged(
      table,
      read,
      {
        secret: await sealed.seal(secret, sealingContext(read)),
        secretHint: toSecretHint(secret),
        updatedAt,
        oldSecretUntil: keepOldUntil,
        ...(keepOldUntil === undefined ? { oldSecret: undefined } : {}),
      },
      keepOldUntil === undefined ? {} : { oldSecret: 'secret' },
    );
    return (await audit.write([{ Update }], entry)).length === 0;
  },
});

/** Changes the number of the account's endpoints, up to the given maximum. */
const changeCount = (
  TableName: string,
  account: string,
  change: 1 | -1,
  most?: number,
): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :change',
    ...(most && { ConditionExpression: 'attribute_not_exists(endpoints) OR endpoints < :most' }),
    ExpressionAttributeValues: encode({ ':change': change, ':most': most }),
  },
});
