import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { dynamoClient } from '../../../functions/platform/aws/aws-clients.ts';
import { sqsClient } from '../../../functions/platform/runtime/queue.ts';

export { handler } from '../../../functions/videos/create-video.ts';
export { exchange } from './plain-exchange.ts';

const client = dynamoClient();
const queue = sqsClient();
const { TASK_TABLE, STEP_QUEUE_URL, BENCH_ITEM = '{}', BENCH_TASK_ID } = process.env;
const Item = { ...JSON.parse(BENCH_ITEM), write_id: { S: randomUUID() } };
const message = { taskId: BENCH_TASK_ID, account: Item.account.S, step: 0, readyAt: Date.now() };

/** The SDK commands of a create request, with the handler's item and message. */
export const sdk = async (): Promise<void> => {
  await client.send(
    new PutItemCommand({
      TableName: TASK_TABLE,
      Item,
      ConditionExpression: 'attribute_not_exists(id) OR attribute_exists(removed_task)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  const MessageBody = JSON.stringify(message);
  const MessageGroupId = message.account;
  await queue.send(
    new SendMessageCommand({ QueueUrl: STEP_QUEUE_URL, MessageBody, MessageGroupId, DelaySeconds: 0 }),
  );
};
