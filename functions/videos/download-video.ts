import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { KEYS, MEDIA, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Links } from './adapters/s3-media.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { requireVideoVariant } from './api/video-object.ts';
import { linkVideo } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...MEDIA };
const { TASK_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const dependencies = {
  tasks: dynamoTasks(client, TASK_TABLE),
  links: s3Links(s3Client(), MEDIA_BUCKET),
  now: Date.now,
};

export const handler = endpoint(VIDEO_ENDPOINTS.downloadVideo, async ({ caller, method, path, query }) => {
  requireVideoVariant(query('variant'));
  return {
    status: 302,
    headers: {
      location: await linkVideo(
        dependencies,
        caller.account,
        path.task_id,
        method === 'HEAD' ? 'HEAD' : 'GET',
      ),
    },
  };
});
