import { endpoint } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { getGeneration } from './api/endpoints.ts';
import { generationObject } from './api/generation-object.ts';
import { pollHints } from './api/video-object.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...PUBLIC_ADDRESS };
const { KEY_TABLE, TASK_TABLE, PUBLIC_BASE_URL } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const tasks = dynamoTasks(client, TASK_TABLE);

export const handler = endpoint(getGeneration, client, KEY_TABLE, async ({ caller, path, baseUrl }) => {
  const task = await findOwned(tasks, caller.account, path.task_id);
  return ok(generationObject(task, PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL), pollHints(task));
});
