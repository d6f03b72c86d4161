import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeld } from '../aws/aws-clients.ts';
import {
  type Attributes,
  allItems,
  encode,
  oneOf,
  optional,
  type ReadItem,
  skipUnreadable,
  text,
  time,
} from '../aws/dynamo.ts';
import type { Logger } from '../domain/log-events.ts';
import { ROLES } from '../domain/roles.ts';
import type { Session, SessionAdministration, SessionRepository } from '../domain/session.ts';

/** Undefined for an unused link. */
const readSession = (item: Attributes): Session | undefined =>
  item.secretHash === undefined
    ? undefined
    : ({
        id: text(item, 'id'),
        account: text(item, 'account'),
        createdAt: time(item, 'createdAt'),
        expiresAt: time(item, 'expiresAt'),
        secretHash: text(item, 'secretHash'),
        role: oneOf(item, 'role', ROLES),
        personId: optional(item, 'personId', text),
      } satisfies { readonly [Property in keyof Required<Session>]: Session[Property] });

/** When DynamoDB may remove the item. */
const removalTime = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export const dynamoSessions = (client: DynamoDBClient, table: string): SessionRepository => ({
  find: async (id) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ id }), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : readSession(Item);
  },
});

export const sessionAdministration = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): SessionAdministration => {
  const { find } = dynamoSessions(client, table);

  const readAll = <T>(account: string, read: ReadItem<T>): Promise<T[]> =>
    Array.fromAsync(
      allItems(
        (start) =>
          client.send(
            new QueryCommand({
              TableName: table,
              IndexName: 'by-account',
              KeyConditionExpression: 'account = :account',
              ExpressionAttributeValues: encode({ ':account': account }),
              ScanIndexForward: false,
              ExclusiveStartKey: start,
            }),
          ),
        read,
      ),
    );

  const end = (account: string, id: string): Promise<boolean> =>
    conditionHeld(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: encode({ id }),
          ConditionExpression: 'account = :account',
          ExpressionAttributeValues: encode({ ':account': account }),
        }),
      ),
    );

  return {
    addLink: async (link) => {
      const Item = encode({ ...link, expires: removalTime(link.linkUntil) });
      await client.send(
        new PutItemCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' }),
      );
    },

    redeem: async ({ id, createdAt, expiresAt, secretHash }) => {
      await conditionHeld(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: encode({ id }),
            UpdateExpression:
              'SET secretHash = :hash, createdAt = :now, expiresAt = :until, expires = :removal REMOVE linkUntil',
            ConditionExpression: 'linkUntil > :now AND attribute_not_exists(secretHash)',
            ExpressionAttributeValues: encode({
              ':hash': secretHash,
              ':now': createdAt,
              ':until': expiresAt,
              ':removal': removalTime(expiresAt),
            }),
          }),
        ),
      );
      // If the response to the update was lost, its retry fails the condition: the hash tells whether we won.
      const session = await find(id);
      return session?.secretHash === secretHash ? session : undefined;
    },

    list: (account) => readAll(account, skipUnreadable({ logger, table, key: ['id'] }, readSession)),

    end,

    endAll: async (account) => {
      // Reads only the id, so that a session with corrupt attributes is ended too.
      const ids = await readAll(account, (item) => text(item, 'id'));
      await Promise.all(ids.map((id) => end(account, id)));
    },
  };
};
