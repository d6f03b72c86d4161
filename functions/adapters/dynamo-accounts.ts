import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Reservation } from '../domain/limits.ts';
import { monthOf } from '../domain/periods.ts';
import type { AccountRepository } from '../domain/ports.ts';
import { releaseExpressions, reserveExpressions } from './account-expressions.ts';
import {
  isOpen,
  outdatedNames,
  readCommitted,
  readLimits,
  readReservations,
  readUse,
} from './account-item.ts';
import { encode } from './attributes.ts';
import { conditionHeld } from './aws-clients.ts';
import { despiteConflicts } from './contention.ts';

export const dynamoAccounts = (client: DynamoDBClient, table: string): AccountRepository => {
  const keyOf = (account: string) => ({ TableName: table, Key: encode({ account }) });

  const refused = (error: unknown, reservation: Reservation) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = error.Item ?? {};
    const held = readReservations(item);
    // A write whose answer was lost and that the client repeated is refused by itself: then it has won.
    const reserved = held.some(({ id }) => id === reservation.id);
    return { reserved, use: readUse(item, reservation), held };
  };

  return {
    find: async (account, now) => {
      const { Item } = await client.send(new GetItemCommand(keyOf(account)));
      if (Item === undefined) return undefined;
      return {
        limits: readLimits(Item),
        committed: readCommitted(Item, monthOf(now)),
        isOpen: isOpen(Item),
        outdated: outdatedNames(Item, now),
      };
    },

    open: async (account) => {
      await despiteConflicts(() =>
        client.send(
          new UpdateItemCommand({
            ...keyOf(account),
            UpdateExpression:
              'SET videos = if_not_exists(videos, :none), images = if_not_exists(images, :none)',
            ExpressionAttributeValues: { ':none': { M: {} } },
          }),
        ),
      );
    },

    reserve: async (reservation, ceilings, outdated) => {
      const update = new UpdateItemCommand({
        ...keyOf(reservation.account),
        ...reserveExpressions(reservation, ceilings, outdated),
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const { Attributes: changed = {} } = await despiteConflicts(() => client.send(update));
        return { reserved: true, use: readUse(changed, reservation), held: [] };
      } catch (error) {
        return refused(error, reservation);
      }
    },

    release: (reservation) =>
      despiteConflicts(() =>
        conditionHeld(
          client.send(
            new UpdateItemCommand({ ...keyOf(reservation.account), ...releaseExpressions(reservation) }),
          ),
        ),
      ),
  };
};
