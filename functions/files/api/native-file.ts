import * as z from 'zod/mini';
import { MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { FILE_PREFIX } from '../../platform/domain/ids.ts';
import type { Page } from '../../platform/domain/pages.ts';
import { type FilePageQuery, isFileId, type StoredFile } from '../domain/files.ts';

/** Google's clients allow only `[a-z0-9-]+` in the name of a file, so the prefix of its id is removed. */
const bareId = ({ id }: Pick<StoredFile, 'id'>): string => id.slice(FILE_PREFIX.length);

/** Reads only the last part, because Google's clients send a whole URL as the name when they use plain HTTP. */
export const readNativeFileId = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith(FILE_PREFIX) ? name : `${FILE_PREFIX}${name}`;
};

const NAME = /^files\/[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const timestamp = z.iso.datetime();

export const nativeFileSchema = z
  .object({
    name: z.string().check(z.regex(NAME)),
    displayName: z.string(),
    mimeType: z.string().check(z.describe('What the client declared, until the bytes have arrived.')),
    sizeBytes: z
      .string()
      .check(z.regex(/^\d+$/), z.describe(`The number of bytes, at most ${MAX_IMAGE_BYTES}.`)),
    createTime: timestamp,
    updateTime: timestamp,
    expirationTime: timestamp.check(z.describe('After this time, the file is not found.')),
    sha256Hash: z.optional(
      z.string().check(z.describe('In Base64. Absent if the bytes came through a signed URL without it.')),
    ),
    uri: z.url().check(z.describe('Can be used as fileUri.')),
    state: z
      .enum(['PROCESSING', 'ACTIVE'])
      .check(z.describe('`PROCESSING` until the bytes have arrived, then `ACTIVE`.')),
    source: z.enum(['UPLOADED', 'GENERATED']),
  })
  .check(z.describe('A stored file, native format.'));

export const nativeFileListSchema = z.object({
  files: z.array(nativeFileSchema),
  nextPageToken: z.optional(z.string()),
});

/** Empty until the file is complete. */
export const uploadedFileSchema = z.object({ file: z.optional(nativeFileSchema) });
export const deletedNativeFileSchema = z.object({}).check(z.describe('Empty.'));

type NativeFile = z.input<typeof nativeFileSchema>;

export const nativeFile = (file: StoredFile, baseUrl: string): NativeFile => {
  const createTime = new Date(file.createdAt).toISOString();
  return {
    name: `files/${bareId(file)}`,
    displayName: file.name,
    mimeType: file.mimeType,
    sizeBytes: String(file.bytes),
    createTime,
    updateTime: createTime,
    expirationTime: new Date(file.expiresAt).toISOString(),
    ...(file.sha256 === undefined ? {} : { sha256Hash: file.sha256 }),
    uri: `${baseUrl}/v1beta/files/${bareId(file)}`,
    state: file.arrived ? 'ACTIVE' : 'PROCESSING',
    source: file.purpose === 'output' ? 'GENERATED' : 'UPLOADED',
  };
};

export const nativeFileList = (
  { items, hasMore }: Page<StoredFile>,
  baseUrl: string,
): z.input<typeof nativeFileListSchema> => {
  const last = items.at(-1);
  return {
    files: items.map((file) => nativeFile(file, baseUrl)),
    ...(hasMore && last !== undefined ? { nextPageToken: bareId(last) } : {}),
  };
};

export const PAGE_SIZE = { byDefault: 10, most: 100 } as const;
const WHOLE_NUMBER = /^[1-9]\d{0,2}$/;

/** The page token is the last file of the previous page. */
export const readNativeFileQuery = (query: (name: string) => string | undefined): FilePageQuery => {
  const size = query('pageSize') ?? String(PAGE_SIZE.byDefault);
  if (!WHOLE_NUMBER.test(size) || Number(size) > PAGE_SIZE.most)
    throw invalidField('pageSize', `pageSize must be a whole number from 1 to ${PAGE_SIZE.most}.`);
  const token = query('pageToken') ?? '';
  const after = token === '' ? undefined : `${FILE_PREFIX}${token}`;
  if (after !== undefined && !isFileId(after))
    throw invalidField('pageToken', 'pageToken must be nextPageToken of the previous page.');
  return { limit: Number(size), newestFirst: true, after };
};
