import * as z from 'zod/mini';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { readKeyId, readPersonId } from '../../identity/api/list-filters.ts';
import { deletion, readAfter, readLimit, readNewestFirst, toListSchema } from '../../platform/api/pages.ts';
import { readChoice, readKept, readTime, toSeconds } from '../../platform/api/parameters.ts';
import { optional } from '../../platform/body/schema.ts';
import { isKept } from '../../platform/domain/retention.ts';
import {
  FILE_ID,
  FILE_PURPOSES,
  type FilePageQuery,
  type FileUpload,
  isFileId,
  type StoredFile,
} from '../domain/files.ts';

const fileId = z.string().check(z.regex(FILE_ID));
const timestamp = (description: string) => z.int().check(z.describe(description));

const fileFields = {
  id: fileId,
  object: z.literal('file'),
  bytes: z.int().check(z.gte(1)),
  created_at: timestamp('Unix seconds.'),
  expires_at: z
    .nullable(z.int())
    .check(z.describe('Unix seconds; after this time the file is not found. Null if the file is kept.')),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  status: z
    .enum(['uploaded', 'processed'])
    .check(z.describe('`uploaded` until the bytes have arrived, then `processed`.')),
  kept: optional(z.boolean(), 'Whether a generated image is stored until it is released or deleted.'),
  name: optional(z.nullable(z.string()), 'The name that a person gave a generated image.'),
  model: optional(z.string(), 'The model that generated the image; only with the purpose output.'),
  prompt: optional(z.string(), 'The prompt of a generated image.'),
  size: optional(z.string(), 'Width and height of a generated image, such as 1024x1024.'),
  duration_ms: optional(z.int(), 'Milliseconds from the request to the generated image.'),
  api_key_id: optional(z.string(), 'The API key or console session that generated the image.'),
  user_id: optional(
    z.nullable(z.string()),
    'The person who generated the image; null if the key belongs to the account.',
  ),
  charge: optional(
    z.object({ amount: z.nullable(z.string()), currency: z.nullable(z.string()) }),
    'The charge for a generated image; null without a price.',
  ),
};

export const fileSchema = z.object(fileFields).check(z.describe('A stored file.'));

const upload = z
  .object({
    url: z.url().check(z.describe('A signed URL. Keep it secret until it expires.')),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).check(z.describe('Send all of them unchanged.')),
    expires_at: timestamp('Unix seconds; the upload must start before this time.'),
  })
  .check(z.describe('How to send the bytes. Absent if they came with the request.'));

export const createdFileSchema = z.object({ ...fileFields, upload: z.optional(upload) });

export const fileListSchema = toListSchema(fileSchema, fileId, z.boolean());

export const { schema: deletedFileSchema, answer: deletedFileObject } = deletion('file', fileId);

export type FileObject = z.infer<typeof fileSchema>;
export type CreatedFileObject = z.infer<typeof createdFileSchema>;
export type FileList = z.infer<typeof fileListSchema>;

export const fileObject = (file: StoredFile): FileObject => ({
  id: file.id,
  object: 'file',
  bytes: file.bytes,
  created_at: toSeconds(file.createdAt),
  expires_at: isKept(file) ? null : toSeconds(file.expiresAt),
  filename: file.name,
  purpose: file.purpose,
  status: file.arrived ? 'processed' : 'uploaded',
  ...toOutputFields(file),
});

const toOutputFields = (file: StoredFile) => {
  const { output, title = null } = file;
  if (output === undefined) return {};
  const { model, prompt, size, durationMs, keyId, personId, amount, currency } = output;
  const maker = { api_key_id: keyId, user_id: personId ?? null };
  const library = { kept: isKept(file), name: title };
  return { ...library, model, prompt, size, duration_ms: durationMs, ...maker, charge: { amount, currency } };
};

export const fileObjectWithUpload = (
  file: StoredFile,
  { url, headers, expiresAt }: FileUpload,
): CreatedFileObject => ({
  ...fileObject(file),
  upload: { url, method: 'PUT', headers, expires_at: toSeconds(expiresAt) },
});

/** The models whose images are files. */
export const IMAGE_MODELS = [IMAGE_MODEL] as const;

/** As in OpenAI's API, all files are on one page by default. */
export const MAX_FILES = 10_000;

export const readFileQuery = (query: (name: string) => string | undefined): FilePageQuery => {
  const limit = readLimit(query, MAX_FILES, MAX_FILES);
  const newestFirst = readNewestFirst(query);
  const after = readAfter(query, isFileId, 'a file');
  const filter = {
    purpose: readChoice(query, 'purpose', FILE_PURPOSES),
    model: readChoice(query, 'model', IMAGE_MODELS),
    keyId: readKeyId(query),
    personId: readPersonId(query),
    kept: readKept(query),
    createdFrom: readTime(query, 'created_after'),
    createdBefore: readTime(query, 'created_before'),
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return { limit, newestFirst, after, ...(isFiltered ? { filter } : {}) };
};
