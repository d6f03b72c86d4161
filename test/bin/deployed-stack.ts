import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { startServer } from '../support/server.ts';

type Deployed = {
  /** The outputs of the stack; undefined if there is no stack. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** The tables of the account, including those that earlier deployments retained. */
  readonly tables: readonly string[];
};

const describeStacksXml = (outputs: Readonly<Record<string, string>>): string =>
  `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
  <StackName>MediaGeneration</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus>
  <Outputs>${Object.entries(outputs)
    .map(
      ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const NO_STACK = `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
  <Code>ValidationError</Code><Message>Stack with id MediaGeneration does not exist</Message></Error></ErrorResponse>`;

const Transaction = z.object({
  TransactItems: z.array(
    z.object({ Put: z.object({ TableName: z.string(), Item: z.unknown() }).optional() }),
  ),
});

/** Serves CloudFormation and DynamoDB, as far as the operator commands call them. */
export const startDeployedStack = async ({ outputs, tables }: Deployed) => {
  const items = new Map<string, unknown[]>(tables.map((table) => [table, []]));
  const dynamo = (operation: string, body: string): unknown => {
    if (operation === 'ListTables') return { TableNames: tables };
    if (operation === 'TransactWriteItems') {
      for (const { Put } of Transaction.parse(JSON.parse(body)).TransactItems)
        if (Put !== undefined) items.get(Put.TableName)?.push(Put.Item);
      return {};
    }
    const { TableName, Item } = z
      .object({ TableName: z.string(), Item: z.unknown().optional() })
      .parse(JSON.parse(body));
    if (operation === 'Scan' || operation === 'Query')
      return { Items: items.get(TableName), Count: items.get(TableName)?.length };
    if (operation === 'PutItem') items.get(TableName)?.push(Item);
    return {};
  };
  const answer = async (request: IncomingMessage): Promise<[status: number, type: string, body: string]> => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    if (operation !== undefined)
      return [200, 'application/x-amz-json-1.0', JSON.stringify(dynamo(operation, body))];
    const { Action, StackName } = Object.fromEntries(new URLSearchParams(body));
    const known = Action === 'DescribeStacks' && StackName === 'MediaGeneration' && outputs !== undefined;
    return known ? [200, 'text/xml', describeStacksXml(outputs)] : [400, 'text/xml', NO_STACK];
  };
  const { url, close } = await startServer((request, response) => {
    answer(request).then(
      ([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.destroy(),
    );
  });
  return {
    countItems: (table: string): number => items.get(table)?.length ?? 0,
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    close,
  };
};
