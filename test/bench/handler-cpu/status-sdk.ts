import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../../functions/platform/aws/aws-clients.ts';

/** Only the SDK command of a status request. */
const client = dynamoClient();
const { TASK_TABLE, BENCH_TASK_ID = '' } = process.env;
const Key = { id: { S: BENCH_TASK_ID } };

export const handler = (): Promise<unknown> =>
  client.send(new GetItemCommand({ TableName: TASK_TABLE, Key, ConsistentRead: true }));
