import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient, s3Client } from '../platform/aws/aws-clients.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { KEYS, MEDIA, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Links } from './adapters/s3-media.ts';
import { readFileTaskId } from './api/native-video.ts';
import { linkVideo } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...MEDIA };
const { KEY_TABLE, TASK_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const dependencies = {
  tasks: dynamoTasks(client, TASK_TABLE),
  links: s3Links(s3Client(), MEDIA_BUCKET),
  now: Date.now,
};

export const handler = nativeEndpoint(client, KEY_TABLE, async ({ caller, path }) => {
  const id = readFileTaskId(path('file'));
  if (id === undefined)
    throw new DomainError('not_found', 'Files are served only at /v1beta/files/{id}:download?alt=media.');
  return { status: 302, headers: { location: await linkVideo(dependencies, caller.account, id) } };
});
