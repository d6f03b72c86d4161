import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createVideo, MODEL } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { HELD_BACK } from '../prompts.ts';
import { gatewayEvent } from './event.ts';

export type Trial = {
  readonly name: 'status' | 'create';
  readonly function: string;
  readonly event: ReturnType<typeof gatewayEvent>;
  readonly variables: Readonly<Record<string, string>>;
};

/** A queue that nobody reads: the worker would only take the processor. */
const unreadQueue = async ({ cloud }: Service): Promise<string> => {
  const client = new SQSClient(cloud.clientConfig('bench'));
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'bench-unread' }));
  return QueueUrl;
};

/** The trials, and the stored item that they are about. */
export const trialsFor = async (
  service: Service,
): Promise<{ readonly item: string; readonly trials: readonly Trial[] }> => {
  const { cloud, apiKey } = service;
  const id = await createVideo(service, HELD_BACK);
  const client = new DynamoDBClient(cloud.clientConfig('bench'));
  const { Item } = await client.send(
    new GetItemCommand({ TableName: cloud.tableName('TasksTable'), Key: { id: { S: id } } }),
  );
  const body = JSON.stringify({ model: MODEL, prompt: HELD_BACK, seconds: 4 });
  const [collection, one] = ['/v1/videos', `/v1/videos/${id}`];
  const item = JSON.stringify(Item);
  const trials: readonly Trial[] = [
    {
      name: 'status',
      function: 'get-video',
      event: gatewayEvent({
        method: 'GET',
        resource: '/v1/videos/{task_id}',
        path: one,
        apiKey,
        pathParameters: { task_id: id },
        body: null,
      }),
      variables: { BENCH_TASK_ID: id },
    },
    {
      name: 'create',
      function: 'create-video',
      event: gatewayEvent({
        method: 'POST',
        resource: collection,
        path: collection,
        apiKey,
        pathParameters: null,
        body,
      }),
      variables: { BENCH_ITEM: item, STEP_QUEUE_URL: await unreadQueue(service) },
    },
  ];
  return { item, trials };
};
