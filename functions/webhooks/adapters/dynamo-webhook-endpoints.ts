import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeldOnce, failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
import {
  type Attributes,
  allItems,
  boolean,
  encode,
  map,
  oneOf,
  optional,
  skipUnreadable,
  text,
  texts,
  time,
} from '../../platform/aws/dynamo.ts';
import type { SealedText } from '../../platform/aws/secret.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { WebhookDescriptions, WebhookEndpoints } from '../domain/webhook-delivery.ts';
import { toSecretHint } from '../domain/webhook-signature.ts';
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

/** Tells endpoints from the counter. */
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

  change: (next, read) => {
    const { name, url, eventTypes, updatedAt, disabled, failingSince, respondsQuickly } = next;
    const isHealthChanged =
      disabled !== read.disabled ||
      failingSince !== read.failingSince ||
      respondsQuickly !== read.respondsQuickly;
    return changeIfUnchanged(client, table, read, {
      name,
      url,
      eventTypes,
      updatedAt,
      ...(isHealthChanged ? { disabled, failingSince, respondsQuickly } : {}),
    });
  },

  saveHealth: async ({ disabled, failingSince, respondsQuickly, ...read }) => {
    await changeIfUnchanged(client, table, read, { disabled, failingSince, respondsQuickly });
  },

  remove: async (account, id) => {
    if (!id.startsWith(ENDPOINT_IDS)) return false;
    const Key = encode({ account, id });
    return conditionsHeld(client, [
      { Delete: { TableName: table, Key, ConditionExpression: 'attribute_exists(secret)' } },
      changeCount(table, account, -1),
    ]);
  },
});

/** Endpoints with their secrets, for functions that create them or sign with them. */
export const dynamoWebhookEndpoints = (
  client: DynamoDBClient,
  table: string,
  sealed: SealedText,
  logger: Logger,
): WebhookEndpoints => ({
  ...dynamoWebhookDescriptions(client, table, logger),

  add: async ({ secret, oldSecret: _, ...endpoint }) => {
    const Item = encode({
      ...endpoint,
      secret: await sealed.seal(secret, sealingContext(endpoint)),
      secretHint: toSecretHint(secret),
    });
    return conditionsHeld(client, [
      { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' } },
      changeCount(table, endpoint.account, 1, MAX_ENDPOINTS),
    ]);
  },

  find: async (account, id) => {
    const item = await readItem(client, table, account, id);
    return item && readEndpoint(item, sealed);
  },

  rotate: async (read, { secret, updatedAt }, keepOldUntil) =>
    changeIfUnchanged(
      client,
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
    ),
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

/** Makes all of the writes or none; false if a condition fails. */
const conditionsHeld = async (client: DynamoDBClient, TransactItems: TransactWriteItem[]) =>
  (await failedConditions(() => client.send(new TransactWriteItemsCommand({ TransactItems })))).length === 0;

/**
 * Changes an endpoint, or returns false if it has changed since it was read. An undefined value removes the attribute;
 * each attribute in `copied` gets the previous value of another one.
 */
const changeIfUnchanged = (
  client: DynamoDBClient,
  TableName: string,
  { account, id, updatedAt }: Pick<WebhookDescription, 'account' | 'id' | 'updatedAt'>,
  change: Parameters<typeof encode>[0],
  copied: Readonly<Record<string, string>> = {},
): Promise<boolean> =>
  conditionHeldOnce((writeId) => {
    const changes = Object.entries({ ...change, write_id: writeId });
    const set = changes.filter(([, value]) => value !== undefined);
    const removed = changes.filter(([, value]) => value === undefined);
    const assignments = [
      ...set.map(([name]) => `#${name} = :${name}`),
      ...Object.entries(copied).map(([to, from]) => `#${to} = #${from}`),
    ];
    const removal = removed.length === 0 ? '' : ` REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`;
    const names = ['updatedAt', ...changes.map(([name]) => name), ...Object.entries(copied).flat()];
    const update = new UpdateItemCommand({
      TableName,
      Key: encode({ account, id }),
      UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
      ConditionExpression: '#updatedAt = :read',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: encode({
        ':read': updatedAt,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return retryOnConflict(() => client.send(update));
  });
