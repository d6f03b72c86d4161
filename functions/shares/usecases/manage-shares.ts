import type { FileRepository } from '../../files/domain/files.ts';
import { findFile } from '../../files/usecases/manage-files.ts';
import { actingPerson } from '../../identity/domain/api-key.ts';
import { type Action, auditEntry, type CallerAction } from '../../identity/domain/audit.ts';
import type { Collections } from '../../library/domain/collections.ts';
import { findCollection as findOwnedCollection } from '../../library/usecases/manage-collections.ts';
import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { TaskRepository } from '../../videos/domain/task.ts';
import { findOwned, requireFile } from '../../videos/usecases/read-videos.ts';
import {
  isShareId,
  MAX_SHARES,
  newShare,
  type Share,
  type SharedKind,
  type SharedName,
  type ShareRepository,
} from '../domain/share.ts';

export type ShareTerms = {
  readonly item: SharedName;
  readonly lifetimeSeconds: number;
  readonly showsPrompt: boolean;
};

/** Where the items are that a link can lead to. */
export type Items = {
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly files: Pick<FileRepository, 'find'>;
  readonly collections: Pick<Collections, 'find'>;
  readonly now: Clock;
};

type Shareable = { readonly createdAt: number; readonly expiresAt: number };

const findVideo = async ({ tasks, now }: Items, account: string, id: string): Promise<Shareable> => {
  const task = await findOwned(tasks, account, id, 'video_id');
  return { createdAt: task.createdAt, expiresAt: requireFile(task, now(), 'share', 'video_id') };
};

const findImage = async (items: Items, account: string, id: string): Promise<Shareable> => {
  const file = await findFile(items, account, id);
  if (file.purpose !== 'output')
    throw invalidField(
      'file_id',
      `file_id must be a generated image, with the purpose output; this file has the purpose ${file.purpose}.`,
    );
  return file;
};

/** Its items end on their own; the collection does not. */
const findCollection = async ({ collections }: Items, account: string, id: string): Promise<Shareable> => {
  const { createdAt } = await findOwnedCollection(collections, account, id);
  return { createdAt, expiresAt: Number.POSITIVE_INFINITY };
};

const FINDERS = { video: findVideo, image: findImage, collection: findCollection } as const satisfies Record<
  SharedKind,
  typeof findVideo
>;

/** The link ends with its item, if that is earlier than requested. */
export const createShare = async (
  { shares, ...items }: Items & { readonly shares: Pick<ShareRepository, 'add'> },
  action: CallerAction,
  { item, lifetimeSeconds, showsPrompt }: ShareTerms,
): Promise<{ readonly share: Share; readonly token: string }> => {
  const { account, caller, at: createdAt } = action;
  const found = await FINDERS[item.kind](items, account, item.id);
  const made = newShare({
    account,
    keyId: caller.keyId,
    personId: actingPerson(caller),
    item: { ...item, createdAt: found.createdAt },
    showsPrompt,
    createdAt,
    expiresAt: Math.min(createdAt + lifetimeSeconds * 1000, found.expiresAt),
  });
  const { id, expiresAt } = made.share;
  const details = { itemId: item.id, showsPrompt, expiresAt: new Date(expiresAt).toISOString() };
  const entry = auditEntry(action, 'share.created', id, details);
  if (!(await shares.add(made.share, entry)))
    throw new DomainError(
      'share_limit',
      `An account can have ${MAX_SHARES} share links at a time. Revoke one with DELETE /v1/shares/{share_id}, or wait until one expires.`,
    );
  return made;
};

/** A link of another account, a revoked or expired link and one that never existed are all "not found". */
export const revokeShare = async (
  shares: Pick<ShareRepository, 'remove'>,
  action: Action,
  id: string,
): Promise<void> => {
  const { account, at } = action;
  const entry = auditEntry(action, 'share.deleted', id);
  if (!isShareId(id) || !(await shares.remove(account, id, at, entry)))
    throw notFound('Share', id, 'share_id');
};
