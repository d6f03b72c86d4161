import type { TestContext } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A client that returns these answers in turn, and the inputs of its calls. */
export const answeringDynamo = (context: TestContext, ...answers: readonly object[]) => {
  const client = new DynamoDBClient({ region: 'local' });
  const inputs: unknown[] = [];
  context.mock.method(client, 'send', async (command: object) => {
    inputs.push(Object(command).input);
    return answers[inputs.length - 1] ?? {};
  });
  return { client, inputs };
};
