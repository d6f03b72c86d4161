import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { dynamoClient } from '../../../functions/platform/aws/aws-clients.ts';
import { sqsClient } from '../../../functions/platform/runtime/queue.ts';

/** Only the SDK commands of a create request, with an item and a message like the handler's. */
const client = dynamoClient();
const queue = sqsClient();
const { TASK_TABLE, STEP_QUEUE_URL, BENCH_ITEM = '{}' } = process.env;
const item: object = JSON.parse(BENCH_ITEM);
let count = 0;

export const handler = async (): Promise<void> => {
  count += 1;
  const id = `bench_${process.pid}_${count}`;
  const Item = { ...item, id: { S: id } };
  await client.send(
    new PutItemCommand({ TableName: TASK_TABLE, Item, ConditionExpression: 'attribute_not_exists(id)' }),
  );
  const MessageBody = JSON.stringify({ taskId: id, step: 0 });
  await queue.send(new SendMessageCommand({ QueueUrl: STEP_QUEUE_URL, MessageBody, DelaySeconds: 0 }));
};
