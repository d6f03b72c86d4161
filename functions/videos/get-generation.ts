import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { generationObject } from './api/generation-object.ts';
import { pollHints } from './api/video-object.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...PUBLIC_ADDRESS };
const { TASK_TABLE } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);

export const handler = endpoint(
  ALTERNATIVE_VIDEO_ENDPOINTS.getGeneration,
  async ({ caller, path, publicUrl }) => {
    const task = await findOwned(tasks, caller.account, path.task_id);
    return ok(generationObject(task, publicUrl), pollHints(task));
  },
);
