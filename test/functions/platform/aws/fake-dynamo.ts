import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startServer } from '../../../support/server.ts';

type Operation = 'PutItem' | 'GetItem' | 'Query';
type Input = {
  readonly Item?: unknown;
  readonly ConditionExpression?: string;
  readonly ConsistentRead?: boolean;
};
export type Reply = (input: Input) => { readonly status: number; readonly body: unknown };

export const ok =
  (body: unknown): Reply =>
  () => ({ status: 200, body });

export const refused: Reply = () => ({
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'no' },
});

export const broken: Reply = () => ({
  status: 500,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'no answer' },
});

/** Starts a server that sends the given replies to each operation, in order. */
export const startFakeDynamo = async (replies: Record<Operation, readonly Reply[]>) => {
  const calls: string[] = [];
  const server = await startServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const before = calls.filter((call) => call === operation).length;
    calls.push(operation);
    const input: Input = JSON.parse(await text(request));
    const reply = Object.entries(replies).find(([name]) => name === operation)?.[1][before];
    const { status, body } = (reply ?? broken)(input);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  const client = new DynamoDBClient({
    endpoint: server.url,
    region: 'local',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 3,
  });
  return {
    calls,
    client,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      client.destroy();
      await server.close();
    },
  };
};
