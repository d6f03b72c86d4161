import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, endpoint } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { usableFiles } from './adapters/dynamo-files.ts';
import { fileHasArrived, signFileDownload } from './adapters/s3-files.ts';
import { FILE_ENDPOINTS } from './api/endpoints.ts';
import { signDownloadLink } from './usecases/manage-files.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const { FILE_TABLE, MEDIA_BUCKET, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const s3 = s3Client();
const dependencies = {
  files: usableFiles(client, FILE_TABLE, dynamoMembers(client, MEMBER_TABLE)),
  store: { has: fileHasArrived(s3, MEDIA_BUCKET), signDownload: signFileDownload(s3, MEDIA_BUCKET) },
  now: Date.now,
};

export const handler = endpoint(FILE_ENDPOINTS.getFileContent, async ({ caller, method, path }) => {
  const location = await signDownloadLink(
    dependencies,
    caller.account,
    path.file_id,
    method === 'HEAD' ? 'HEAD' : 'GET',
  );
  return { status: 302, headers: { location } };
});
