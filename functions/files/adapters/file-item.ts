import {
  type Attributes,
  boolean,
  encode,
  number,
  oneOf,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import { FILE_PURPOSES, type StoredFile } from '../domain/files.ts';

/** A file as DynamoDB holds it, beside the keys of the index that the clean-up reads. */

export const DUE_INDEX = dueIndex(4);

export const toItem = (file: StoredFile, dueAt: number): Attributes =>
  encode({ ...file, due_shard: DUE_INDEX.shardFor(file.id), due_at: dueAt });

export const readFile = (item: Attributes): StoredFile =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    bytes: number(item, 'bytes'),
    mimeType: text(item, 'mimeType'),
    purpose: oneOf(item, 'purpose', FILE_PURPOSES),
    createdAt: time(item, 'createdAt'),
    expiresAt: time(item, 'expiresAt'),
    arrived: boolean(item, 'arrived'),
  }) satisfies { readonly [Property in keyof Required<StoredFile>]: StoredFile[Property] };

/** A removed file stays, and counts, until its bytes are gone and its signed address takes no others. */
export const isRemoved = (item: Attributes): boolean => item.removed !== undefined;
