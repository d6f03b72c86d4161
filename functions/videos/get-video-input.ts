import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { FILES, KEYS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Links } from './adapters/s3-media.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { linkInput } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...FILES };
const { TASK_TABLE, FILE_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const dependencies = {
  tasks: dynamoTasks(client, TASK_TABLE),
  files: { find: findRegisteredFile(client, FILE_TABLE) },
  links: s3Links(s3Client(), MEDIA_BUCKET),
  now: Date.now,
};

export const handler = endpoint(VIDEO_ENDPOINTS.getVideoInput, async ({ caller, method, path }) => {
  const location = await linkInput(dependencies, caller.account, {
    id: path.task_id,
    index: path.index,
    method: method === 'HEAD' ? 'HEAD' : 'GET',
  });
  return { status: 302, headers: { location } };
});
