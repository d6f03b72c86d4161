import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { nativeOperation } from './api/native-video.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...PUBLIC_ADDRESS };
const { TASK_TABLE } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);

export const handler = jsonEndpoint(
  ALTERNATIVE_VIDEO_ENDPOINTS.getOperation,
  async ({ caller, path, publicUrl }) => {
    const task = await findOwned(tasks, caller.account, path.operation);
    return nativeOperation(task, publicUrl);
  },
);
