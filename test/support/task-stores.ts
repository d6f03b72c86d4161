import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { placeWrites } from '../../functions/upstream/adapters/dynamo-places.ts';
import { dynamoPool } from '../../functions/upstream/adapters/dynamo-pool.ts';
import type { PoolStates, TakenPlace } from '../../functions/upstream/domain/pool.ts';
import { NEW_STATE, pastPlaces, pastStarts } from '../../functions/upstream/domain/upstream-state.ts';
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
import { claimSubmit } from '../../functions/videos/domain/transitions.ts';
import { aTask } from './builders/task.ts';
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
        logger: strictLogger,
      }),
      line: dynamoWaitingLine(client, tables, strictLogger),
    };
  };

export const taskStores = (client: DynamoDBClient) => ({ memory: openMemory, dynamo: openDynamo(client) });

export const NOW = Date.UTC(2026, 0, 1);
export const CLAIM = { until: NOW + 60_000, upstream: { name: 'a', hasPlace: true } } as const;

/** Reads and takes the places of upstream `a`. */
export const placesIn = (
  { tasks, states }: Pick<TaskStores, 'tasks' | 'states'>,
  { submitsPerMinute, videosAtOnce }: PlaceLimits,
) => {
  const state = async (name = 'a') => (await states.read()).upstreams.get(name) ?? NEW_STATE;
  const placeAt = async (now: number) => {
    const known = await state();
    const past = { pastStarts: pastStarts(known, now), pastPlaces: pastPlaces(known, now) };
    return { upstream: 'a', submitsPerMinute, videosAtOnce, ...past };
  };
  const newTask = async (number: number) => {
    const task = aTask({ id: `task_${number}`, createdAt: NOW, openSubmits: 0 });
    await tasks.create(task);
    return task;
  };
  /** Claims a new task with the given place. */
  const take = async (number: number, place: Omit<TakenPlace, 'taskId' | 'start' | 'until'>, now = NOW) => {
    const claimed = claimSubmit(await newTask(number), CLAIM.until, CLAIM.upstream);
    const start = { name: `start${number}`, time: now };
    return tasks.advanceWithPlace(claimed, { ...place, taskId: claimed.id, start, until: now + 3_600_000 });
  };
  return { state, placeAt, newTask, take };
};
