import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
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
import { hintOf } from '../domain/webhook-signature.ts';
import {
  DISABLED_REASONS,
  MOST_ENDPOINTS,
  WEBHOOK_EVENT_TYPES,
  type WebhookDescription,
  type WebhookEndpoint,
} from '../domain/webhooks.ts';

/** An endpoint as DynamoDB holds it: its properties are the attributes, its secrets are sealed. */

const readDisabled = (item: Attributes): WebhookDescription['disabled'] => {
  const disabled = optional(item, 'disabled', map);
  return disabled && { at: time(disabled, 'at'), reason: oneOf(disabled, 'reason', DISABLED_REASONS) };
};

export const readDescription = (item: Attributes): WebhookDescription =>
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

/** A secret opens for its own endpoint alone. */
export const placeOf = ({ account, id }: Pick<WebhookEndpoint, 'account' | 'id'>): readonly string[] => [
  'webhook',
  account,
  id,
];

export const readEndpoint = async (item: Attributes, sealed: SealedText): Promise<WebhookEndpoint> => {
  const { secretHint: _, ...description } = readDescription(item);
  const place = placeOf(description);
  const old = optional(item, 'oldSecret', text);
  return {
    ...description,
    secret: await sealed.open(text(item, 'secret'), place),
    oldSecret:
      old === undefined
        ? undefined
        : { value: await sealed.open(old, place), until: time(item, 'oldSecretUntil') },
  };
};

/** The counter beside the endpoints begins otherwise. */
const ENDPOINT_IDS = 'we_';

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
    const { name, url, eventTypes, updatedAt } = next;
    const { disabled, failingSince, respondsQuickly } = next;
    const isHealthChanged =
      disabled !== read.disabled ||
      failingSince !== read.failingSince ||
      respondsQuickly !== read.respondsQuickly;
    return changeAsRead(client, table, read, {
      name,
      url,
      eventTypes,
      updatedAt,
      ...(isHealthChanged ? { disabled, failingSince, respondsQuickly } : {}),
    });
  },

  noteHealth: async ({ disabled, failingSince, respondsQuickly, ...read }) => {
    await changeAsRead(client, table, read, { disabled, failingSince, respondsQuickly });
  },

  remove: async (account, id) =>
    id.startsWith(ENDPOINT_IDS) &&
    conditionsHeld(client, [
      {
        Delete: {
          TableName: table,
          Key: encode({ account, id }),
          ConditionExpression: 'attribute_exists(secret)',
        },
      },
      uncountOne(table, account),
    ]),
});

/** With their secrets, for what makes them or signs with them. */
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
      secret: await sealed.seal(secret, placeOf(endpoint)),
      secretHint: hintOf(secret),
    });
    return conditionsHeld(client, [
      { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' } },
      countOne(table, endpoint.account, MOST_ENDPOINTS),
    ]);
  },

  find: async (account, id) => {
    const item = await readItem(client, table, account, id);
    return item && readEndpoint(item, sealed);
  },

  rotate: async (read, { secret, updatedAt }, keepOldUntil) =>
    changeAsRead(
      client,
      table,
      read,
      {
        secret: await sealed.seal(secret, placeOf(read)),
        secretHint: hintOf(secret),
        updatedAt,
        oldSecretUntil: keepOldUntil,
        ...(keepOldUntil === undefined ? { oldSecret: undefined } : {}),
      },
      keepOldUntil === undefined ? {} : { oldSecret: 'secret' },
    ),
});

/** Each account has a counter beside its endpoints; no endpoint has such an id. */
const COUNTER = 'count';

/** All of the writes or none; false when a condition does not hold. */
export const conditionsHeld = async (
  client: DynamoDBClient,
  TransactItems: TransactWriteItem[],
): Promise<boolean> => {
  const failed = await failedConditions(() => client.send(new TransactWriteItemsCommand({ TransactItems })));
  return failed.length === 0;
};

/** Keeps the number of endpoints, so that the limit is exact however many are made at once. */
export const countOne = (TableName: string, account: string, most: number): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :one',
    ConditionExpression: 'attribute_not_exists(endpoints) OR endpoints < :most',
    ExpressionAttributeValues: encode({ ':one': 1, ':most': most }),
  },
});

export const uncountOne = (TableName: string, account: string): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :one',
    ExpressionAttributeValues: encode({ ':one': -1 }),
  },
});

type Values = Parameters<typeof encode>[0];

/**
 * Changes an endpoint that is still as it was read; false when it is not. An undefined value takes the attribute
 * away; of `copied`, each takes the value that another had before.
 */
export const changeAsRead = async (
  client: DynamoDBClient,
  TableName: string,
  { account, id, updatedAt }: Pick<WebhookDescription, 'account' | 'id' | 'updatedAt'>,
  change: Values,
  copied: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const writeId = randomUUID();
  const changes = Object.entries({ ...change, writeId });
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
  try {
    await retryOnConflict(() => client.send(update));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // A write whose answer was lost and that the client repeated is refused by itself: then it has won.
    return error.Item?.writeId?.S === writeId;
  }
};
