import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { endIfStorageFailed } from '../../errors.ts';
import { mayList } from '../../template/policies.ts';
import {
  type AccessedResource,
  type Answer,
  AwsError,
  failureReply,
  type Reply,
  type Service,
  type SignedRequest,
} from '../aws-http/service.ts';
import {
  applyLifecycles,
  createBucket,
  deleteObjects,
  getEncryption,
  getLocation,
  listObjects,
} from './bucket-operations.ts';
import type { RulesOfBuckets } from './bucket-rules.ts';
import { crossOrigin } from './cors.ts';
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  uploadPart,
} from './multipart.ts';
import { deleteTags, getObject, getTags, headObject, putObject } from './object-operations.ts';
import {
  type BucketCall,
  invalidArgument,
  notImplemented,
  type ObjectCall,
  type Operation,
  readTarget,
} from './operation.ts';
import { openStores, type Stores } from './stores.ts';

/** Query parameters that select an operation. Others, such as `prefix`, only modify it. */
const SUBRESOURCES = new Set(
  `accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle
   list-type location logging metrics notification object-lock ownershipControls partNumber policy policyStatus
   publicAccessBlock replication requestPayment restore retention select tagging torrent uploadId uploads
   versionId versioning versions website`.split(/\s+/),
);

type Route<Call> = { readonly action: string; readonly run: Operation<Call> };

const BUCKET_ROUTES: Readonly<Record<string, Route<BucketCall>>> = {
  PUT: { action: 's3:CreateBucket', run: createBucket },
  'GET location': { action: 's3:GetBucketLocation', run: getLocation },
  'GET encryption': { action: 's3:GetEncryptionConfiguration', run: getEncryption },
  'GET list-type': { action: 's3:ListBucket', run: listObjects },
  'POST delete': { action: 's3:DeleteObject', run: deleteObjects },
};

const OBJECT_ROUTES: Readonly<Record<string, Route<ObjectCall>>> = {
  PUT: { action: 's3:PutObject', run: putObject },
  GET: { action: 's3:GetObject', run: getObject },
  HEAD: { action: 's3:GetObject', run: headObject },
  'POST uploads': { action: 's3:PutObject', run: createMultipartUpload },
  'PUT partNumber uploadId': { action: 's3:PutObject', run: uploadPart },
  'POST uploadId': { action: 's3:PutObject', run: completeMultipartUpload },
  'GET tagging': { action: 's3:GetObjectTagging', run: getTags },
  'DELETE tagging': { action: 's3:DeleteObjectTagging', run: deleteTags },
  'DELETE uploadId': { action: 's3:AbortMultipartUpload', run: abortMultipartUpload },
};

const routeName = (method: string, query: Readonly<Record<string, string>>): string =>
  [
    method,
    ...Object.keys(query)
      .filter((name) => SUBRESOURCES.has(name))
      .sort(),
  ].join(' ');

/** Rejected, because ignoring them would change the meaning of the request. */
const UNSUPPORTED_ON_WRITE = ['if-match', 'x-amz-acl'];
const COPY_DIRECTIVES = ['x-amz-metadata-directive', 'x-amz-tagging-directive'];
/** Supported only by PutObject and by CopyObject, which is a PutObject with a source. */
const PUT_OBJECT_ONLY = ['x-amz-copy-source', 'if-none-match', ...COPY_DIRECTIVES];
/** Supported only by operations that begin an object. */
const NEW_OBJECT_ONLY = ['x-amz-tagging'];
const HOUR = 60 * 60 * 1000;
const LONGEST_KEY = 1024;

const isWrite = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

const dispatch = async (call: BucketCall, key: string): Promise<Reply> => {
  const { request, bucket, objects, accessed } = call;
  const { method, query } = request;
  const arn = `arn:aws:s3:::${bucket}`;
  if (bucket === '') throw notImplemented();
  if (key === '') {
    const route = BUCKET_ROUTES[routeName(method, query)];
    if (!route) throw notImplemented();
    const { action, run } = route;
    // DeleteObjects records each of its objects.
    if (action !== 's3:DeleteObject') accessed.push({ action, resource: arn });
    if (action !== 's3:CreateBucket') objects.checkBucket(bucket);
    return run(call);
  }
  const route = OBJECT_ROUTES[routeName(method, query)];
  if (!route) throw notImplemented();
  const begins = route.run === putObject || route.run === createMultipartUpload;
  const unsupported = [
    ...UNSUPPORTED_ON_WRITE,
    ...(route.run === putObject ? [] : PUT_OBJECT_ONLY),
    ...('x-amz-copy-source' in request.headers ? [] : COPY_DIRECTIVES),
    ...(begins ? [] : NEW_OBJECT_ONLY),
  ];
  if (isWrite(method) && unsupported.some((name) => name in request.headers)) throw notImplemented();
  accessed.push({ action: route.action, resource: `${arn}/${key}` });
  if (Buffer.byteLength(key) > LONGEST_KEY) {
    throw new AwsError(400, 'KeyTooLongError', 'Your key is too long');
  }
  if (key.includes('\0')) throw invalidArgument('A key cannot contain NUL');
  objects.checkBucket(bucket);
  return route.run({ ...call, key });
};

const answer = async (stores: Stores, request: SignedRequest, body: Readable): Promise<Answer> => {
  const accessed: AccessedResource[] = [];
  try {
    const { bucket, key } = readTarget(request.path);
    const reply = await dispatch({ ...stores, request, body, bucket, accessed }, key);
    const headers = { 'x-amz-request-id': randomUUID(), ...reply.headers };
    return { reply: { ...reply, headers }, accessed };
  } catch (error) {
    return { reply: failureReply('xml', error, request), accessed };
  }
};

export const s3 = (dataDir: string): Service => {
  let buckets: RulesOfBuckets = {};
  let mayListNow: Stores['mayList'] = () => true;
  const stores = openStores(dataDir, (...asked) => mayListNow(...asked));
  const expire = () =>
    applyLifecycles(stores, buckets, Date.now()).catch((error: unknown) => {
      endIfStorageFailed(error);
      console.error(error);
    });
  const hourly = setInterval(expire, HOUR);
  hourly.unref();
  return {
    kind: 'streamed',
    dialect: 'xml',
    crossOrigin: crossOrigin((bucket) => buckets[bucket]),
    answer: (request, body) => answer(stores, request, body),
    async provision({ buckets: wanted = {}, listablePrefixes = {} }) {
      for (const name of Object.keys(buckets))
        if (!Object.hasOwn(wanted, name)) stores.objects.removeBucket(name);
      for (const name of Object.keys(wanted)) stores.objects.createBucket(name);
      buckets = wanted;
      mayListNow = mayList(listablePrefixes);
      await applyLifecycles(stores, buckets, Date.now());
    },
    async close() {
      clearInterval(hourly);
      stores.database.close();
    },
  };
};
