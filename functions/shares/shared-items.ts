import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { dynamoCollections } from '../library/adapters/dynamo-collections.ts';
import type { Logger } from '../platform/domain/log-events.ts';
import { dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import type { Items } from './usecases/manage-shares.ts';

/** The items that a link can lead to, for everything that creates or opens one. */
export const sharedItems = (
  client: DynamoDBClient,
  { TASK_TABLE, FILE_TABLE }: Readonly<Record<'TASK_TABLE' | 'FILE_TABLE', string>>,
  logger: Pick<Logger, 'error'>,
): Items => ({
  tasks: dynamoTasks(client, TASK_TABLE),
  files: { find: findRegisteredFile(client, FILE_TABLE) },
  collections: dynamoCollections(client, FILE_TABLE, logger),
  now: Date.now,
});
