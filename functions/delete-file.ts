import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { setFileAside } from './adapters/s3-files.ts';
import { s3Client } from './adapters/s3-media.ts';
import { deletedFileObject } from './api/files/file-object.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
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
