import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Operation = 'PutItem' | 'GetItem' | 'Query';
type Input = { readonly Item?: unknown; readonly ConditionExpression?: string };
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

const readInput = async (request: IncomingMessage): Promise<Input> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
};

/** A server that replies to each operation as told, in order; the real client speaks to it. */
export const startFakeDynamo = async (replies: Record<Operation, readonly Reply[]>) => {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const before = calls.filter((call) => call === operation).length;
    calls.push(operation);
    const input = await readInput(request);
    const reply = Object.entries(replies).find(([name]) => name === operation)?.[1][before];
    const { status, body } = (reply ?? broken)(input);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 3,
  });
  return {
    calls,
    client,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
