import { storageReturns } from '../billing/adapters/kept-storage.ts';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, logger } from '../identity/authentication/endpoint.ts';
import type { Action } from '../identity/domain/audit.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { ACCOUNTS, AUDIT, type Environment, FILES, KEYS } from '../platform/runtime/environment.ts';
import { dynamoFileDeletion, findRegisteredFile } from './adapters/dynamo-files.ts';
import { setFileAside } from './adapters/s3-files.ts';
import { deleteFile } from './usecases/manage-files.ts';

export const FILE_DELETION = { ...KEYS, ...FILES, ...AUDIT, ...ACCOUNTS };

export const fileDeletion = (environment: Environment<typeof FILE_DELETION>) => {
  const { FILE_TABLE, MEDIA_BUCKET, AUDIT_TABLE, ACCOUNT_TABLE } = environment;
  const audit = auditTrail(client, AUDIT_TABLE, logger);
  const dependencies = {
    files: {
      find: findRegisteredFile(client, FILE_TABLE),
      ...dynamoFileDeletion(FILE_TABLE, audit, storageReturns(ACCOUNT_TABLE)),
    },
    store: { setAside: setFileAside(s3Client(), MEDIA_BUCKET) },
    logger,
    now: Date.now,
  };
  return (action: Action, id: string): Promise<void> => deleteFile(dependencies, action, id);
};
