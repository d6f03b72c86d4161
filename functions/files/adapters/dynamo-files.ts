import {
  DeleteItemCommand,
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { skipUnreadable } from '../../platform/aws/all-items.ts';
import { type Attributes, encode, number, optional } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { failedConditions, retryOnConflict } from '../../platform/aws/contention.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import type { Logger } from '../../platform/domain/ports.ts';
import type { FileCleanUp, FileRepository } from '../domain/file-ports.ts';
import { type StoredFile, uploadIsOverAt } from '../domain/files.ts';
import { DUE_INDEX, isRemoved, readFile, toItem } from './file-item.ts';
import { findRegisteredFile } from './registered-files.ts';

/** Beside an account's files there is the sum of their bytes; it sorts after all of them. */
const STORAGE = 'storage';
const IS_THERE = 'attribute_exists(id) AND attribute_not_exists(removed)';

const keyOf = (table: string, { account, id }: Pick<StoredFile, 'account' | 'id'>) => ({
  TableName: table,
  Key: encode({ account, id }),
});

const countBytes = (table: string, account: string, bytes: number, room?: number): TransactWriteItem => ({
  Update: {
    ...keyOf(table, { account, id: STORAGE }),
    UpdateExpression: 'ADD #bytes :bytes',
    ExpressionAttributeNames: { '#bytes': 'bytes' },
    ExpressionAttributeValues: encode({ ':bytes': bytes, ':room': room }),
    ...(room === undefined
      ? {}
      : {
          ConditionExpression: 'attribute_not_exists(#bytes) OR #bytes <= :room',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
  },
});

/** Undefined when all was written; else the items that stood in the way, where they were asked for. */
const writeAll = async (
  client: DynamoDBClient,
  ...TransactItems: TransactWriteItem[]
): Promise<readonly (Attributes | undefined)[] | undefined> => {
  const failed = await failedConditions(() => client.send(new TransactWriteItemsCommand({ TransactItems })));
  return failed.length === 0 ? undefined : failed;
};

export const dynamoFiles = (client: DynamoDBClient, table: string): Omit<FileRepository, 'page'> => ({
  create: async (file, limitBytes) => {
    const refused = await writeAll(
      client,
      { Put: { TableName: table, Item: toItem(file, uploadIsOverAt(file)) } },
      countBytes(table, file.account, file.bytes, limitBytes - file.bytes),
    );
    if (refused === undefined) return { created: true };
    return { created: false, usedBytes: optional(refused[1] ?? {}, 'bytes', number) ?? 0 };
  },

  find: findRegisteredFile(client, table),

  noteArrival: (file) =>
    retryOnConflict(() =>
      conditionHeld(
        client.send(
          new UpdateItemCommand({
            ...keyOf(table, file),
            UpdateExpression: 'SET arrived = :yes, due_at = :end',
            ConditionExpression: IS_THERE,
            ExpressionAttributeValues: encode({ ':yes': true, ':end': file.expiresAt }),
          }),
        ),
      ),
    ),

  remove: (file, keptUntil) =>
    retryOnConflict(() =>
      conditionHeld(
        client.send(
          new UpdateItemCommand({
            ...keyOf(table, file),
            UpdateExpression: 'SET removed = :yes, counted = :yes, due_at = :end',
            ConditionExpression: IS_THERE,
            ExpressionAttributeValues: encode({ ':yes': true, ':end': keptUntil }),
          }),
        ),
      ),
    ),
});

/** For the clean-up alone: it reads the files of all accounts. */
export const dynamoFileCleanUp = (client: DynamoDBClient, table: string, logger: Logger): FileCleanUp => ({
  due: (until) => {
    const read = skipUnreadable({ logger, table, key: ['account', 'id'] }, (item) => ({
      file: readFile(item),
      removed: isRemoved(item),
    }));
    return dueItems(client, { table, index: DUE_INDEX, until, read });
  },

  forget: async (file) => {
    const removal = {
      Delete: { ...keyOf(table, file), ConditionExpression: 'attribute_exists(counted)' },
    };
    if ((await writeAll(client, removal, countBytes(table, file.account, -file.bytes))) === undefined) return;
    // Earlier releases gave the bytes back when the file was removed.
    const uncounted = { ...keyOf(table, file), ConditionExpression: 'attribute_not_exists(counted)' };
    await retryOnConflict(() => conditionHeld(client.send(new DeleteItemCommand(uncounted))));
  },
});
