import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { allItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import type { SealedText } from '../../platform/aws/sealed-text.ts';
import type { Logger } from '../../platform/domain/ports.ts';
import { hintOf } from '../domain/webhook-id.ts';
import type { WebhookDescriptions, WebhookEndpoints } from '../domain/webhook-ports.ts';
import { MOST_ENDPOINTS } from '../domain/webhooks.ts';
import { placeOf, readDescription, readEndpoint } from './webhook-endpoint-item.ts';
import { changeAsRead, conditionsHeld, countOne, uncountOne } from './webhook-endpoint-writes.ts';

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
