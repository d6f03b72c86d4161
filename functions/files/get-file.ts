import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/aws-clients.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { usableFiles } from './adapters/dynamo-files.ts';
import { fileHasArrived } from './adapters/s3-files.ts';
import { FILE_ENDPOINTS } from './api/endpoints.ts';
import { fileObject } from './api/file-object.ts';
import { getFile } from './usecases/manage-files.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const { FILE_TABLE, MEDIA_BUCKET, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const dependencies = {
  files: usableFiles(client, FILE_TABLE, dynamoMembers(client, MEMBER_TABLE)),
  store: { has: fileHasArrived(s3Client(), MEDIA_BUCKET) },
  now: Date.now,
};

export const handler = jsonEndpoint(FILE_ENDPOINTS.getFile, async ({ caller, path }) =>
  fileObject(await getFile(dependencies, caller.account, path.file_id)),
);
