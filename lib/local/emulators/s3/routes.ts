import { deleteCors, getCors, putCors } from './bucket-cors.ts';
import { createBucket, deleteObjects } from './bucket-operations.ts';
import { getLifecycle, putLifecycle } from './lifecycle.ts';
import { listObjects } from './listing.ts';
import { completeMultipartUpload } from './multipart.ts';
import { abortMultipartUpload, createMultipartUpload, uploadPart } from './multipart-operations.ts';
import { getObject, headObject, putObject } from './object-operations.ts';
import type { BucketCall, ObjectCall, Operation } from './operation.ts';

/** Query names that choose an operation. Others, such as `prefix`, only shape it. */
const SUBRESOURCES = new Set(
  `accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle
   list-type location logging metrics notification object-lock ownershipControls partNumber policy policyStatus
   publicAccessBlock replication requestPayment restore retention select tagging torrent uploadId uploads
   versionId versioning versions website`.split(/\s+/),
);

type Route<Call> = { readonly action: string; readonly run: Operation<Call> };

const BUCKET_ROUTES: Readonly<Record<string, Route<BucketCall>>> = {
  PUT: { action: 's3:CreateBucket', run: createBucket },
  'GET list-type': { action: 's3:ListBucket', run: listObjects },
  'GET lifecycle': { action: 's3:GetLifecycleConfiguration', run: getLifecycle },
  'PUT lifecycle': { action: 's3:PutLifecycleConfiguration', run: putLifecycle },
  'GET cors': { action: 's3:GetBucketCORS', run: getCors },
  'PUT cors': { action: 's3:PutBucketCORS', run: putCors },
  'DELETE cors': { action: 's3:PutBucketCORS', run: deleteCors },
  'POST delete': { action: 's3:DeleteObject', run: deleteObjects },
};

const OBJECT_ROUTES: Readonly<Record<string, Route<ObjectCall>>> = {
  PUT: { action: 's3:PutObject', run: putObject },
  GET: { action: 's3:GetObject', run: getObject },
  HEAD: { action: 's3:GetObject', run: headObject },
  'POST uploads': { action: 's3:PutObject', run: createMultipartUpload },
  'PUT partNumber uploadId': { action: 's3:PutObject', run: uploadPart },
  'POST uploadId': { action: 's3:PutObject', run: completeMultipartUpload },
  'DELETE uploadId': { action: 's3:AbortMultipartUpload', run: abortMultipartUpload },
};

const routeName = (method: string, query: Readonly<Record<string, string>>): string =>
  [
    method,
    ...Object.keys(query)
      .filter((name) => SUBRESOURCES.has(name))
      .sort(),
  ].join(' ');

export const bucketRoute = (method: string, query: Readonly<Record<string, string>>) =>
  BUCKET_ROUTES[routeName(method, query)];

export const objectRoute = (method: string, query: Readonly<Record<string, string>>) =>
  OBJECT_ROUTES[routeName(method, query)];
