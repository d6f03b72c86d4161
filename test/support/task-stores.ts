import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { placeWrites } from '../../functions/upstream/adapters/dynamo-places.ts';
import { dynamoPool, lineItem } from '../../functions/upstream/adapters/dynamo-pool.ts';
import type { PoolStates } from '../../functions/upstream/domain/pool.ts';
import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { dynamoTaskInputs } from '../../functions/videos/adapters/dynamo-clean-up.ts';
import { dynamoDueTasks } from '../../functions/videos/adapters/dynamo-task-lists.ts';
import { dynamoTasks } from '../../functions/videos/adapters/dynamo-tasks.ts';
import { dynamoWaitingLine } from '../../functions/videos/adapters/dynamo-waiting-line.ts';
import type {
  DueTasks,
  TaskInputs,
  TaskRepository,
  WaitingLine,
} from '../../functions/videos/domain/task.ts';
import { anUpstream } from './builders/upstream.ts';
import { FAST_MODEL, MODEL } from './http.ts';
import { MemoryTasks, tasksPort } from './in-memory/tasks.ts';
import { linePort, MemoryPool, poolStatesPort } from './in-memory/upstreams.ts';
import { strictLogger } from './loggers.ts';
import { createUpstreamTables } from './upstream-tables.ts';

export type TaskStores = {
  readonly tasks: TaskRepository & DueTasks & TaskInputs;
  readonly states: PoolStates;
  readonly line: WaitingLine;
};

/** Opens empty stores of tasks, of the state of the upstreams `a` and `b`, and of the lines of the video models. */
export type OpenTaskStores = (prefix: string, limits?: PlaceLimits) => Promise<TaskStores>;
/** Of upstream `a`. */
export type PlaceLimits = Partial<Pick<Upstream, 'submitsPerMinute' | 'videosAtOnce'>>;

const openMemory: OpenTaskStores = async () => {
  const pool = new MemoryPool();
  const tasks = new MemoryTasks({ pool });
  return { tasks: tasksPort(tasks), states: poolStatesPort(pool), line: linePort(pool, tasks) };
};

const openDynamo =
  (client: DynamoDBClient): OpenTaskStores =>
  async (prefix, limits) => {
    const tables = await createUpstreamTables(client, prefix);
    const { UPSTREAM_TABLE, TASK_TABLE } = tables;
    return {
      tasks: {
        ...dynamoTasks(client, TASK_TABLE, placeWrites(UPSTREAM_TABLE)),
        ...dynamoDueTasks(client, TASK_TABLE, strictLogger),
        ...dynamoTaskInputs(client, TASK_TABLE, strictLogger),
      },
      states: dynamoPool(client, UPSTREAM_TABLE, {
        upstreams: [anUpstream('a', limits), anUpstream('b')],
        models: [MODEL, FAST_MODEL],
      }),
      line: dynamoWaitingLine(client, { ...tables, lineItem }, strictLogger),
    };
  };

export const taskStores = (client: DynamoDBClient) => ({ memory: openMemory, dynamo: openDynamo(client) });
