import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../../functions/platform/aws/aws-clients.ts';

export { handler } from '../../../functions/videos/get-video.ts';
export { exchange } from './plain-exchange.ts';

const client = dynamoClient();
const { TASK_TABLE, BENCH_TASK_ID = '' } = process.env;
const Key = { id: { S: BENCH_TASK_ID } };

/** The SDK command of a status request. */
export const sdk = (): Promise<unknown> =>
  client.send(new GetItemCommand({ TableName: TASK_TABLE, Key, ConsistentRead: true }));
