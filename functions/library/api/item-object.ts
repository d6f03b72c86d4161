import * as z from 'zod/mini';
import type { StoredFile } from '../../files/domain/files.ts';
import { toSeconds } from '../../platform/api/parameters.ts';
import { fields, flag, name, optional, timestamp } from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isKept } from '../../platform/domain/retention.ts';
import type { Task } from '../../videos/domain/task.ts';

export const itemChangeSchema = fields({
  name: optional(z.nullable(name()), 'The name of the item, which downloads have too. Null removes it.'),
  kept: optional(
    flag(),
    'True stores the item until it is released or deleted. False releases it: it then ends after the retention period, counted from now.',
  ),
}).check(z.describe('The fields to change; at least one. Fields that are absent stay as they are.'));

export const readItemChange = ({ name, kept }: z.output<typeof itemChangeSchema>) => {
  if (name === undefined && kept === undefined)
    throw invalidField('name', 'Send at least one of name and kept.');
  return { name, kept };
};

export const itemSchema = z
  .object({
    id: z.string(),
    object: z.literal('library.item'),
    kind: z.enum(['video', 'image']),
    name: z.nullable(z.string()),
    kept: z.boolean(),
    expires_at: z.nullable(timestamp('When the item ends; null if it is kept or has no file.')),
  })
  .check(z.describe('A video or a generated image.'));

export type ItemObject = z.infer<typeof itemSchema>;

type Item = { readonly id: string; readonly expiresAt?: number | undefined };

const toItem = (kind: ItemObject['kind'], item: Item, name: string | null = null): ItemObject => ({
  id: item.id,
  object: 'library.item',
  kind,
  name,
  kept: isKept(item),
  expires_at: item.expiresAt === undefined || isKept(item) ? null : toSeconds(item.expiresAt),
});

export const videoItem = (task: Task): ItemObject => toItem('video', task, task.name);
export const imageItem = (file: StoredFile): ItemObject => toItem('image', file, file.title);
