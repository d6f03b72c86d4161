import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { actingPerson } from '../identity/domain/api-key.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { isJson, readJsonBody } from '../platform/body/json-body.ts';
import { readBody } from '../platform/body/request-body.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { putFile, signFileUpload } from './adapters/s3-files.ts';
import { readFileForm, readUpload } from './api/create-file.ts';
import { FILE_ENDPOINTS } from './api/endpoints.ts';
import { fileObject, fileObjectWithUpload } from './api/file-object.ts';
import { requireUsableSize } from './domain/files.ts';
import { creationTerms, FILE_CREATION } from './settings.ts';
import { createUpload, storeFile } from './usecases/manage-files.ts';

export const ENVIRONMENT = { ...KEYS, ...FILE_CREATION };
const environment = readEnvironment(ENVIRONMENT);
const dependencies = {
  files: dynamoFiles(client, environment.FILE_TABLE),
  store: {
    put: putFile(s3Client(), environment.MEDIA_BUCKET),
    signUpload: signFileUpload(environment.MEDIA_BUCKET),
  },
  logger,
  ...creationTerms(environment),
};

export const handler = jsonEndpoint(FILE_ENDPOINTS.createFile, async ({ caller, header, body }) => {
  const contentType = header('content-type');
  if (isJson(contentType)) {
    const { terms, sha256 } = readUpload(readJsonBody(body));
    requireUsableSize(terms.bytes, environment.UPSTREAM_REQUEST_MEGABYTES, 'bytes');
    const { file, upload } = await createUpload(
      dependencies,
      { account: caller.account, uploaderId: actingPerson(caller) },
      terms,
      sha256,
    );
    return fileObjectWithUpload(file, upload);
  }
  const { terms, bytes } = readFileForm(await readBody(contentType, body));
  requireUsableSize(terms.bytes, environment.UPSTREAM_REQUEST_MEGABYTES, 'file');
  return fileObject(await storeFile(dependencies, caller.account, terms, bytes));
});
