import type { TestContext } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoTaskPages } from '../../../../functions/videos/adapters/dynamo-task-lists.ts';
import { dynamoTasks } from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import { strictLogger } from '../../../support/loggers.ts';

/** A client that gives these answers in turn, and the commands that it received. */
export const answeringClient = (context: TestContext, ...answers: readonly (object | Error)[]) => {
  const client = new DynamoDBClient({ region: 'local' });
  const calls: (readonly [command: string, input: Record<string, unknown>])[] = [];
  context.mock.method(client, 'send', async (command: object) => {
    calls.push([command.constructor.name, Object(command).input]);
    const answer = answers[calls.length - 1] ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { client, calls };
};

export const answeringTable = (context: TestContext, ...answers: readonly (object | Error)[]) => {
  const { client, calls } = answeringClient(context, ...answers);
  const tasks = { ...dynamoTasks(client, 'tasks'), ...dynamoTaskPages(client, 'tasks', strictLogger) };
  return { tasks, calls };
};
