import { usableFiles } from '../files/adapters/dynamo-files.ts';
import { fileHasArrived } from '../files/adapters/s3-files.ts';
import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from '../files/api/endpoints.ts';
import { fileObject } from '../files/api/file-object.ts';
import { nativeFile, readNativeFileId } from '../files/api/native-file.ts';
import { getFile } from '../files/usecases/manage-files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, endpoint, endpointOfBoth, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { FILES, KEYS, PUBLIC_ADDRESS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Links } from './adapters/s3-media.ts';
import { readFileTaskId, readLinkedTaskId } from './api/native-video.ts';
import { linkVideo } from './usecases/read-videos.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...FILES, ...PUBLIC_ADDRESS };
const { TASK_TABLE, FILE_TABLE, MEDIA_BUCKET, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const s3 = s3Client();
const videos = {
  tasks: dynamoTasks(client, TASK_TABLE),
  links: s3Links(s3, MEDIA_BUCKET),
  now: Date.now,
};
const uploads = {
  files: usableFiles(client, FILE_TABLE, dynamoMembers(client, MEMBER_TABLE)),
  store: { has: fileHasArrived(s3, MEDIA_BUCKET) },
  now: Date.now,
};

/** One path for both, as in Google's API: `files/ID:download` is a generated video, `files/ID` an uploaded file. */
const google = endpoint(NATIVE_FILE_ENDPOINTS.getNativeFile, async ({ caller, path, query, publicUrl }) => {
  const taskId = readFileTaskId(path.file_id) ?? readLinkedTaskId(query);
  if (taskId !== undefined)
    return { status: 302, headers: { location: await linkVideo(videos, caller.account, taskId) } };
  const file = await getFile(uploads, caller.account, readNativeFileId(path.file_id));
  return ok(nativeFile(file, publicUrl));
});

export const handler = endpointOfBoth({
  openAi: jsonEndpoint(FILE_ENDPOINTS.getFile, async ({ caller, path }) =>
    fileObject(await getFile(uploads, caller.account, path.file_id)),
  ),
  google,
});
