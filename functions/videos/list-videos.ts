import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { dynamoTaskPages } from './adapters/dynamo-task-lists.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { videoList } from './api/video-list.ts';
import { includedParts } from './api/video-object.ts';
import { listVideos } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS };
const { TASK_TABLE } = readEnvironment(ENVIRONMENT);
const tasks = { ...dynamoTasks(client, TASK_TABLE), ...dynamoTaskPages(client, TASK_TABLE, logger) };

export const handler = jsonEndpoint(
  VIDEO_ENDPOINTS.listVideos,
  async ({ caller, query: { includes, wanted } }) => {
    const page = await listVideos(tasks, caller.account, wanted);
    return videoList(page, (task) => includedParts(task, includes));
  },
);
