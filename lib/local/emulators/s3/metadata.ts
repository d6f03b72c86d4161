import { type Database, openDatabase } from '../sqlite.ts';

// Keys are text in a table, never paths: any key is safe, and SQLite orders text as S3 does, by its UTF-8 bytes.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, created INTEGER NOT NULL, lifecycle TEXT) STRICT;
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

export const openMetadata = (path: string): Database => openDatabase(path, SCHEMA);
