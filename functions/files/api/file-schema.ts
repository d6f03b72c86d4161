import * as z from 'zod/mini';
import { MAX_IMAGE_BYTES } from '../../platform/domain/models.ts';
import { FILE_ID, FILE_PURPOSES } from '../domain/files.ts';

/** The answers about files, in the shapes of OpenAI's Files API. */

const fileId = z.string().check(z.regex(FILE_ID));
const timestamp = (description: string) => z.int().check(z.describe(description));

const fileFields = {
  id: fileId,
  object: z.literal('file'),
  bytes: z.int().check(z.gte(1), z.lte(MAX_IMAGE_BYTES)),
  created_at: timestamp('Unix seconds.'),
  expires_at: timestamp('Unix seconds; from then on the file is not found.'),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  status: z
    .enum(['uploaded', 'processed'])
    .check(z.describe('`uploaded` until the bytes have arrived, then `processed`.')),
};

export const fileSchema = z.object(fileFields).check(z.describe('A file that the account keeps.'));

const upload = z
  .object({
    url: z.url().check(z.describe('A signed address: a secret while it holds.')),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).check(z.describe('All of them are to be sent as they are.')),
    expires_at: timestamp('Unix seconds; an upload must begin before.'),
  })
  .check(z.describe('How to send the bytes; absent where they came with the request.'));

export const createdFileSchema = z.object({ ...fileFields, upload: z.optional(upload) });

export const fileListSchema = z.object({
  object: z.literal('list'),
  data: z.array(fileSchema),
  first_id: z.nullable(fileId),
  last_id: z.nullable(fileId),
  has_more: z.boolean(),
});

export const deletedFileSchema = z.object({
  id: fileId,
  object: z.literal('file'),
  deleted: z.literal(true),
});

export type FileObject = z.infer<typeof fileSchema>;
export type CreatedFileObject = z.infer<typeof createdFileSchema>;
export type FileList = z.infer<typeof fileListSchema>;
export type DeletedFileObject = z.infer<typeof deletedFileSchema>;
