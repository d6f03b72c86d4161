import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, MEDIA, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { dynamoLinePositions } from './adapters/dynamo-waiting-line.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { includedParts, needsPosition, pollHints, videoObject } from './api/video-object.ts';
import type { Task } from './domain/task.ts';
import { findOwned } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...MEDIA, ...PUBLIC_ADDRESS };
const { TASK_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);
const line = dynamoLinePositions(client, TASK_TABLE);

/** Loaded for the first task in this form, because most functions never see one, and signing needs the code of S3. */
const showToOpenRouter = async (task: Task, baseUrl: string) => {
  const { showOpenRouterVideo } = await import('./show-openrouter-video.ts');
  return showOpenRouterVideo(task, { baseUrl, bucket: MEDIA_BUCKET });
};

export const handler = endpoint(
  VIDEO_ENDPOINTS.getVideo,
  async ({ caller, path, query: includes, publicUrl }) => {
    const task = await findOwned(tasks, caller.account, path.task_id);
    const position = needsPosition(task, includes) ? await line.position(task) : undefined;
    const shown = task.form === 'openrouter' ? await showToOpenRouter(task, publicUrl) : videoObject(task);
    return ok({ ...shown, ...includedParts(task, includes, position) }, pollHints(task));
  },
);
