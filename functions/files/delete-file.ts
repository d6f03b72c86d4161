import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { s3Client } from '../videos/adapters/s3-media.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { setFileAside } from './adapters/s3-files.ts';
import { deletedFileObject } from './api/file-object.ts';
import { deleteFile } from './usecases/delete-file.ts';

const { KEY_TABLE, FILE_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENTS['delete-file']);
const client = dynamoClient();
const dependencies = {
  files: dynamoFiles(client, FILE_TABLE),
  store: { setAside: setFileAside(s3Client(), MEDIA_BUCKET) },
  logger,
  now: Date.now,
};

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path }) => {
  const id = path('file_id');
  await deleteFile(dependencies, caller.account, id);
  return ok(deletedFileObject(id));
});
