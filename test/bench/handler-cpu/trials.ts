import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createVideo, MODEL } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { HELD_BACK } from '../prompts.ts';

type Request = {
  readonly method: string;
  readonly resource: string;
  readonly path: string;
  readonly apiKey: string;
  readonly pathParameters: Readonly<Record<string, string>> | null;
  readonly body: string | null;
};

/** An event of API Gateway, with the fields that our functions read. */
const gatewayEvent = ({ method, resource, path, apiKey, pathParameters, body }: Request) => ({
  httpMethod: method,
  resource,
  path,
  headers: {
    Accept: 'application/json',
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    Host: 'bench.test',
    'User-Agent': 'bench',
    'X-Forwarded-Proto': 'https',
  },
  queryStringParameters: null,
  pathParameters,
  body,
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', path: `/prod${path}`, domainName: 'bench.test', stage: 'prod' },
});

export type Trial = {
  readonly name: 'status' | 'create';
  readonly function: string;
  readonly event: ReturnType<typeof gatewayEvent>;
  readonly variables: Readonly<Record<string, string>>;
};

/** A queue without a worker, which would use the CPU. */
const unreadQueue = async ({ cloud }: Service): Promise<string> => {
  const client = new SQSClient(cloud.clientConfig('bench'));
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'bench-unread' }));
  return QueueUrl;
};

/** Creates a video; returns its item, and the trials that use it. */
export const prepareTrials = async (
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
