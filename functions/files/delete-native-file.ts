import { logger, nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient, s3Client } from '../platform/aws/aws-clients.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { setFileAside } from './adapters/s3-files.ts';
import { readNativeFileId } from './api/native-file.ts';
import { deleteFile } from './usecases/manage-files.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const { KEY_TABLE, FILE_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const dependencies = {
  files: dynamoFiles(client, FILE_TABLE),
  store: { setAside: setFileAside(s3Client(), MEDIA_BUCKET) },
  logger,
  now: Date.now,
};

export const handler = nativeEndpoint(client, KEY_TABLE, async ({ caller, path }) => {
  await deleteFile(dependencies, caller.account, readNativeFileId(path('file')));
  return ok({});
});
