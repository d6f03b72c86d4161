import type * as z from 'zod/mini';
import type { FileReference } from '../domain/input-image.ts';
import { isFields } from './fields.ts';
import { paramOf, refuse } from './parse.ts';
import { leaf } from './schema.ts';

/** The id of a file, or the name that Google's clients give it; no character that a key of S3 could mistake. */
export const FILE_NAME_PATTERN = '^(?:files/)?(file_[0-9A-Za-z]{1,64})$';
const FILE_NAME = new RegExp(FILE_NAME_PATTERN);

export const fileReferenceOf = (value: unknown): FileReference | undefined => {
  const fileId = typeof value === 'string' ? FILE_NAME.exec(value)?.[1] : undefined;
  return fileId === undefined ? undefined : { fileId };
};

/** What the document says of it. */
export const FILE_NAME_DOCUMENT = {
  type: 'string',
  pattern: FILE_NAME_PATTERN,
  description: 'The id of an image that was uploaded to /v1/files.',
  examples: ['file_abc'],
};

export const fileName = leaf(
  (value, context: z.core.ParsePayload) =>
    fileReferenceOf(value) ?? refuse(context, 'must be the id of a file of this account, such as file_abc.'),
  FILE_NAME_DOCUMENT,
);

/** Fields of text, which may well read like the name of a file. */
const TEXTS = ['prompt', 'text', 'content'];

type Path = readonly (string | number)[];

const pathTo = (value: unknown, fileId: string): Path | undefined => {
  if (typeof value === 'string') return fileReferenceOf(value)?.fileId === fileId ? [] : undefined;
  const within = Array.isArray(value)
    ? value.map((item, position) => [position, item] as const)
    : Object.entries(isFields(value) ? value : {}).filter(
        ([name, item]) => !(TEXTS.includes(name) && typeof item === 'string'),
      );
  for (const [step, item] of within) {
    const rest = pathTo(item, fileId);
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
};

/** The field that names a file, as the client wrote it: `reference_images[1].file_id`. */
export const fileFieldIn =
  (body: unknown) =>
  (fileId: string): string =>
    paramOf(pathTo(body, fileId) ?? []);
