import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { fileHasArrived } from './adapters/s3-files.ts';
import { s3Client } from './adapters/s3-media.ts';
import { fileObject } from './api/files/file-object.ts';
import { endpoint } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
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
