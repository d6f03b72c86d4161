import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../../functions/adapters/aws-clients.ts';

/** The SDK's part of a status request, and nothing else. */
const client = documentClient();
const { TASK_TABLE, BENCH_TASK_ID } = process.env;

export const handler = (): Promise<unknown> =>
  client.send(new GetCommand({ TableName: TASK_TABLE, Key: { id: BENCH_TASK_ID }, ConsistentRead: true }));
