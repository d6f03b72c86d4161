import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoTaskInputs } from '../../../../functions/videos/adapters/dynamo-clean-up.ts';
import { toItem, toMarker } from '../../../../functions/videos/adapters/task-item.ts';
import { aTask } from '../../../support/builders/task.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { answeringClient } from './answering-table.ts';

const INPUT = { role: 'first_frame', key: 'inputs/1', mimeType: 'image/png' } as const;
const task = aTask({ request: { ...aTask().request, inputs: [INPUT] } });
const removed = aTask({ id: 'task_kremoved' });

test('reads the input keys of tasks, and repeats those that DynamoDB did not process', async (context) => {
  const { client, calls } = answeringClient(
    context,
    {
      Responses: { tasks: [toItem(task)] },
      UnprocessedKeys: { tasks: { Keys: [{ id: { S: removed.id } }] } },
    },
    { Responses: { tasks: [toMarker(removed, 0)] } },
  );
  const ids = [task.id, removed.id, 'task_none'];
  const found = await dynamoTaskInputs(client, 'tasks', strictLogger).inputKeys(ids);
  assert.deepEqual(Object.fromEntries(found), { [task.id]: ['inputs/1'], [removed.id]: [] });
  const [first, second] = calls.map(([, { RequestItems }]) => Object(RequestItems).tasks);
  assert.deepEqual([first.ConsistentRead, first.Keys.length], [true, 3]);
  assert.deepEqual(second.Keys, [{ id: { S: removed.id } }]);
});

test('reports a task whose inputs cannot be read', async (context) => {
  const { client } = answeringClient(context, { Responses: { tasks: [{ id: { S: 'task_1' } }] } });
  const events: unknown[] = [];
  const logger = {
    ...strictLogger,
    error: (event: string, _: unknown, fields: object) => void events.push([event, fields]),
  };
  const found = await dynamoTaskInputs(client, 'tasks', logger).inputKeys(['task_1']);
  assert.deepEqual([...found], [['task_1', 'unreadable']]);
  assert.deepEqual(events, [['item not readable', { table: 'tasks', key: 'task_1' }]]);
});
