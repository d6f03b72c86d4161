import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { actingPerson } from '../identity/domain/api-key.ts';
import { nativeDialect } from '../platform/api/dialects.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { type HttpResponse, ok, publicHandler } from '../platform/runtime/http.ts';
import { dynamoFiles } from './adapters/dynamo-files.ts';
import { dynamoUploads } from './adapters/dynamo-uploads.ts';
import { putFile, s3Chunks } from './adapters/s3-files.ts';
import { NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { nativeFile } from './api/native-file.ts';
import {
  LENGTH_HEADER,
  readProtocol,
  readUploadStart,
  readUploadStep,
  readWholeUpload,
} from './api/native-upload.ts';
import { requireUsableSize } from './domain/files.ts';
import type { Upload } from './domain/uploads.ts';
import { creationTerms, FILE_CREATION } from './settings.ts';
import { storeFile } from './usecases/manage-files.ts';
import {
  cancelUpload,
  findUpload,
  receiveBytes,
  startUpload,
  type UploadState,
  uploadState,
} from './usecases/receive-upload.ts';

export const ENVIRONMENT = { ...KEYS, ...FILE_CREATION, ...PUBLIC_ADDRESS };
const environment = readEnvironment(ENVIRONMENT);
const s3 = s3Client();
const dependencies = {
  files: dynamoFiles(client, environment.FILE_TABLE),
  uploads: dynamoUploads(client, environment.FILE_TABLE),
  members: dynamoMembers(client, environment.MEMBER_TABLE),
  store: { put: putFile(s3, environment.MEDIA_BUCKET) },
  chunks: s3Chunks(s3, environment.MEDIA_BUCKET),
  logger,
  ...creationTerms(environment),
};

/** Google's smallest unit: all chunks but the last are multiples of it. */
const CHUNK_GRANULARITY = String(256 * 1024);

const start = endpoint(
  NATIVE_FILE_ENDPOINTS.uploadNativeFile,
  async ({ caller, header, body, route, publicUrl }) => {
    if (readProtocol(header) === 'multipart') {
      const { terms, bytes } = readWholeUpload(header, body);
      requireUsableSize(bytes.length, environment.UPSTREAM_REQUEST_MEGABYTES, 'file');
      const file = await storeFile(dependencies, caller.account, terms, bytes);
      return describe({ status: 'final', file }, publicUrl);
    }
    const terms = readUploadStart(header, body);
    if (terms.bytes !== undefined)
      requireUsableSize(terms.bytes, environment.UPSTREAM_REQUEST_MEGABYTES, LENGTH_HEADER);
    const uploadId = await startUpload(
      dependencies,
      { account: caller.account, uploaderId: actingPerson(caller) },
      terms,
    );
    return ok(
      {},
      {
        'x-goog-upload-url': `${publicUrl}${route}?upload_id=${uploadId}&upload_protocol=resumable`,
        'x-goog-upload-status': 'active',
        'x-goog-upload-chunk-granularity': CHUNK_GRANULARITY,
      },
    );
  },
);

/** The URL of the upload is a secret, so these requests need no key. */
const receive = publicHandler({ dialect: nativeDialect, logger }, async (request, outcome) => {
  const { query, header, body, publicUrl } = request;
  const upload = await findUpload(dependencies, query('upload_id') ?? '');
  outcome.account = upload.file.account;
  const step = readUploadStep(header, body);
  return describe(await takeStep(upload, step), publicUrl);
});

const takeStep = async (upload: Upload, step: ReturnType<typeof readUploadStep>): Promise<UploadState> => {
  if (step === 'query') return uploadState(upload);
  return step === 'cancel' ? cancelUpload(dependencies, upload) : receiveBytes(dependencies, upload, step);
};

const describe = (state: UploadState, baseUrl: string): HttpResponse =>
  ok(state.status === 'final' ? { file: nativeFile(state.file, baseUrl) } : {}, {
    'x-goog-upload-status': state.status,
    ...(state.status === 'active' ? { 'x-goog-upload-size-received': String(state.received) } : {}),
  });

export const handler = (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  event.queryStringParameters?.upload_id === undefined ? start(event) : receive(event);
