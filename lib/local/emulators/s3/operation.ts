import type { Readable } from 'node:stream';
import type { AccessedResource, Reply, SignedRequest } from '../aws-http/service.ts';
import type { Database } from '../sqlite.ts';
import type { BlobStore } from './blobs.ts';
import type { ObjectStore } from './stores.ts';
import type { UploadStore } from './upload-store.ts';

export type Stores = {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly objects: ObjectStore;
  readonly uploads: UploadStore;
  readonly mayList: (principal: string, bucket: string) => boolean;
};

export type BucketCall = Stores & {
  readonly request: SignedRequest;
  readonly body: Readable;
  readonly bucket: string;
  /** What the call accesses, added to as it goes: deleting many is many calls to IAM. */
  readonly accessed: AccessedResource[];
};

export type ObjectCall = BucketCall & { readonly key: string };

export type Operation<Call> = (call: Call) => Promise<Reply>;

export const xmlReply = (root: string, inner: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`,
});
