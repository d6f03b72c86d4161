import { storageReturns } from '../billing/adapters/kept-storage.ts';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { s3Client } from '../platform/aws/aws-clients.ts';
import { ACCOUNTS, AUDIT, FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoFileDeletion, findRegisteredFile } from './adapters/dynamo-files.ts';
import { setFileAside } from './adapters/s3-files.ts';
import { deleteFile as deleteFileEndpoint } from './api/endpoints.ts';
import { deletedFileObject } from './api/file-object.ts';
import { deleteFile } from './usecases/manage-files.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES, ...AUDIT, ...ACCOUNTS };
const { FILE_TABLE, MEDIA_BUCKET, AUDIT_TABLE, ACCOUNT_TABLE } = readEnvironment(ENVIRONMENT);
const dependencies = {
  files: {
    find: findRegisteredFile(client, FILE_TABLE),
    ...dynamoFileDeletion(FILE_TABLE, auditTrail(client, AUDIT_TABLE, logger), storageReturns(ACCOUNT_TABLE)),
  },
  store: { setAside: setFileAside(s3Client(), MEDIA_BUCKET) },
  logger,
  now: Date.now,
};

export const handler = endpoint(deleteFileEndpoint, async (request) => {
  const id = request.path.file_id;
  await deleteFile(dependencies, requestAction(request), id);
  return ok(deletedFileObject(id));
});
