import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/aws-clients.ts';
import { KEYS, MEDIA, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { dynamoLinePositions } from './adapters/dynamo-waiting-line.ts';
import { s3Links } from './adapters/s3-media.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { openRouterVideoObject } from './api/openrouter-video.ts';
import { includedParts, needsPosition, pollHints, videoObject } from './api/video-object.ts';
import type { VideoLinks } from './domain/media.ts';
import type { Task } from './domain/task.ts';
import { findOwned, linkVideo } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...MEDIA, ...PUBLIC_ADDRESS };
const { TASK_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const tasks = dynamoTasks(client, TASK_TABLE);
const line = dynamoLinePositions(client, TASK_TABLE);

let links: VideoLinks | undefined;

/** OpenRouter's clients download without a key, so the URL is signed, which takes no call. */
const showToOpenRouter = async (task: Task, baseUrl: string) => {
  const now = Date.now();
  const isReady = task.file !== undefined && (task.expiresAt === undefined || now < task.expiresAt);
  links ??= s3Links(s3Client(), MEDIA_BUCKET);
  const found = { tasks: { find: async () => task }, links, now: Date.now };
  const videoUrl = isReady ? await linkVideo(found, task.account, task.id) : undefined;
  return openRouterVideoObject(task, { baseUrl, now, videoUrl });
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
