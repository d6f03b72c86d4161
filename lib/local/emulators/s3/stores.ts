import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { AwsError } from '../aws-http/service.ts';
import { type Database, inTransaction, jsonColumn, openDatabase } from '../sqlite.ts';
import { type Blob, type BlobStore, blobStore } from './blobs.ts';

// Keys are text, never paths, so any key is safe. SQLite orders text by its UTF-8 bytes, like S3.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, created INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS objects (
  bucket TEXT NOT NULL REFERENCES buckets (name), key TEXT NOT NULL,
  etag TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  headers TEXT NOT NULL, blobs TEXT NOT NULL,
  PRIMARY KEY (bucket, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS uploads (
  id TEXT PRIMARY KEY, bucket TEXT NOT NULL REFERENCES buckets (name), key TEXT NOT NULL,
  headers TEXT NOT NULL, algorithm TEXT, initiated INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS parts (
  upload TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE, number INTEGER NOT NULL,
  etag TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, checksum TEXT, blob TEXT NOT NULL,
  PRIMARY KEY (upload, number)
) STRICT, WITHOUT ROWID;
`;

const noSuchBucket = (bucket: string): AwsError =>
  new AwsError(404, 'NoSuchBucket', 'The specified bucket does not exist', {
    members: { BucketName: bucket },
  });

const noSuchUpload = (uploadId: string): AwsError =>
  new AwsError(
    404,
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { members: { UploadId: uploadId } },
  );

const StoredObject = z.object({
  key: z.string(),
  etag: z.string(),
  size: z.number(),
  modified: z.number(),
  /** Content type, metadata, checksum and tags. */
  headers: jsonColumn(z.record(z.string(), z.string())),
  blobs: jsonColumn(z.array(z.object({ name: z.string(), size: z.number() }))),
});
export type StoredObject = Readonly<z.infer<typeof StoredObject>>;

export const quoted = (etag: string): string => `"${etag}"`;

const objectStore = (database: Database, blobs: BlobStore) => {
  const bucketRow = database.prepare('SELECT name FROM buckets WHERE name = ?');
  const removeBucket = database.prepare('DELETE FROM buckets WHERE name = ?');
  const insertBucket = database.prepare(
    'INSERT INTO buckets (name, created) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const select = database.prepare('SELECT * FROM objects WHERE bucket = ? AND key = ?');
  const upsert = database.prepare(
    `INSERT OR REPLACE INTO objects (bucket, key, etag, size, modified, headers, blobs)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const rewrite = database.prepare('UPDATE objects SET headers = ? WHERE bucket = ? AND key = ?');
  const remove = database.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
  const from = database.prepare('SELECT * FROM objects WHERE bucket = ? AND key >= ? ORDER BY key');

  const find = (bucket: string, key: string): StoredObject | undefined => {
    const row = select.get(bucket, key);
    return row === undefined ? undefined : StoredObject.parse(row);
  };

  return {
    find,
    createBucket: (bucket: string): void => void insertBucket.run(bucket, Date.now()),
    /** Fails while the bucket has objects or uploads. */
    removeBucket: (bucket: string): void => void removeBucket.run(bucket),
    checkBucket(bucket: string): void {
      if (bucketRow.get(bucket) === undefined) throw noSuchBucket(bucket);
    },
    /** Replaces the object and runs `alongside` in one transaction. */
    async put(bucket: string, object: StoredObject, alongside: () => void = () => {}): Promise<void> {
      const { key, etag, size, modified, headers } = object;
      const replaced = inTransaction(database, () => {
        const previous = find(bucket, key);
        alongside();
        const [headerText, blobText] = [JSON.stringify(headers), JSON.stringify(object.blobs)];
        upsert.run(bucket, key, etag, size, modified, headerText, blobText);
        return previous;
      });
      await blobs.remove(replaced?.blobs ?? []);
    },
    /** Replaces what is stored beside the bytes; the object does not become younger. */
    describe(bucket: string, key: string, headers: StoredObject['headers']): void {
      rewrite.run(JSON.stringify(headers), bucket, key);
    },
    async remove(bucket: string, key: string): Promise<void> {
      const removed = find(bucket, key);
      remove.run(bucket, key);
      await blobs.remove(removed?.blobs ?? []);
    },
    /** In key order, starting at this key. */
    *iterate(bucket: string, start: string): Generator<StoredObject> {
      for (const row of from.iterate(bucket, start)) yield StoredObject.parse(row);
    },
  };
};

type ObjectStore = ReturnType<typeof objectStore>;

const Upload = z.object({
  id: z.string(),
  bucket: z.string(),
  key: z.string(),
  headers: jsonColumn(z.record(z.string(), z.string())),
  algorithm: z.string().nullable(),
  initiated: z.number(),
});
export type Upload = z.infer<typeof Upload>;

const Part = z.object({
  number: z.number(),
  etag: z.string(),
  size: z.number(),
  modified: z.number(),
  checksum: z.string().nullable(),
  blob: z.string(),
});
export type Part = z.infer<typeof Part>;

const toBlob = ({ blob, size }: Part): Blob => ({ name: blob, size });

const uploadStore = (database: Database, blobs: BlobStore) => {
  const insert = database.prepare(
    'INSERT INTO uploads (id, bucket, key, headers, algorithm, initiated) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT * FROM uploads WHERE id = ? AND bucket = ? AND key = ?');
  const old = database.prepare('SELECT * FROM uploads WHERE bucket = ? AND initiated <= ?');
  const remove = database.prepare('DELETE FROM uploads WHERE id = ?');
  const parts = database.prepare('SELECT * FROM parts WHERE upload = ? ORDER BY number');
  const part = database.prepare('SELECT * FROM parts WHERE upload = ? AND number = ?');
  const upsert = database.prepare(
    `INSERT OR REPLACE INTO parts (upload, number, etag, size, modified, checksum, blob)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  const findParts = ({ id }: Upload): Part[] => parts.all(id).map((row) => Part.parse(row));
  const find = (id: string, bucket: string, key: string): Upload => {
    const row = select.get(id, bucket, key);
    if (row === undefined) throw noSuchUpload(id);
    return Upload.parse(row);
  };

  return {
    find,
    findParts,
    create(
      bucket: string,
      key: string,
      headers: Record<string, string>,
      algorithm: string | undefined,
    ): string {
      const id = randomUUID();
      insert.run(id, bucket, key, JSON.stringify(headers), algorithm ?? null, Date.now());
      return id;
    },
    async putPart({ id, bucket, key }: Upload, { number, etag, size, modified, checksum, blob }: Part) {
      const replaced = inTransaction(database, () => {
        // The upload may have been aborted meanwhile.
        find(id, bucket, key);
        const row = part.get(id, number);
        upsert.run(id, number, etag, size, modified, checksum, blob);
        return row === undefined ? [] : [toBlob(Part.parse(row))];
      });
      await blobs.remove(replaced);
    },
    /** Deletes the upload but not its files. */
    forget: ({ id }: Upload): void => void remove.run(id),
    async abort(upload: Upload): Promise<void> {
      const abandoned = findParts(upload).map(toBlob);
      remove.run(upload.id);
      await blobs.remove(abandoned);
    },
    olderThan: (bucket: string, time: number): Upload[] =>
      old.all(bucket, time).map((row) => Upload.parse(row)),
  };
};

type UploadStore = ReturnType<typeof uploadStore>;

export type Stores = {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly objects: ObjectStore;
  readonly uploads: UploadStore;
  readonly mayList: (principal: string, bucket: string, prefix: string) => boolean;
};

const Names = z.array(z.object({ name: z.string() }));

export const openStores = (dataDir: string, mayList: Stores['mayList']): Stores => {
  const database = openDatabase(join(dataDir, 'metadata.sqlite'), SCHEMA);
  const blobs = blobStore(join(dataDir, 'blobs'));
  const used = database
    .prepare(
      `SELECT blob AS name FROM parts
       UNION ALL SELECT json_extract(each.value, '$.name') FROM objects, json_each(objects.blobs) AS each`,
    )
    .all();
  blobs.sweep(new Set(Names.parse(used).map(({ name }) => name)));
  const [objects, uploads] = [objectStore(database, blobs), uploadStore(database, blobs)];
  return { database, blobs, objects, uploads, mayList };
};
