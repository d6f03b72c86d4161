import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { nativeOperation } from './api/native-video.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...PUBLIC_ADDRESS };
const { TASK_TABLE, PUBLIC_BASE_URL } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);

export const handler = endpoint(
  ALTERNATIVE_VIDEO_ENDPOINTS.getOperation,
  async ({ caller, path, baseUrl }) => {
    const task = await findOwned(tasks, caller.account, path.operation);
    return ok(nativeOperation(task, PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL));
  },
);
