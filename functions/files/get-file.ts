import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { s3Client } from '../videos/adapters/s3-media.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { fileHasArrived } from './adapters/s3-files.ts';
import { fileObject } from './api/file-object.ts';
import { lookAtFile } from './usecases/find-file.ts';

const { KEY_TABLE, FILE_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENTS['get-file']);
const client = dynamoClient();
const dependencies = {
  files: dynamoFiles(client, FILE_TABLE),
  store: { has: fileHasArrived(s3Client(), MEDIA_BUCKET) },
  now: Date.now,
};

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path }) =>
  ok(fileObject(await lookAtFile(dependencies, caller.account, path('file_id')))),
);
