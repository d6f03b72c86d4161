import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { dynamoLinePositions } from './adapters/dynamo-waiting-line.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { includedParts, needsPosition, pollHints, videoObject } from './api/video-object.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS };
const { TASK_TABLE } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);
const line = dynamoLinePositions(client, TASK_TABLE);

export const handler = endpoint(VIDEO_ENDPOINTS.getVideo, async ({ caller, path, query: includes }) => {
  const task = await findOwned(tasks, caller.account, path.task_id);
  const position = needsPosition(task, includes) ? await line.position(task) : undefined;
  return ok({ ...videoObject(task), ...includedParts(task, includes, position) }, pollHints(task));
});
