import { randomBytes } from 'node:crypto';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import { encodeBytes, encodeTime } from '../../platform/domain/ids.ts';

/** Videos and images of an account under a name, in an order. */
export type Collection = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  /** Ids of videos and generated images, each once. Items that have ended stay in the list, and are not shown. */
  readonly itemIds: readonly string[];
  /** One of the items; undefined for the first. */
  readonly coverId?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export const MAX_COLLECTIONS = 100;
export const MAX_COLLECTED = 500;

export const COLLECTION_ID = /^collection_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isCollectionId = (id: string): boolean => COLLECTION_ID.test(id);

const RANDOM_LETTERS = 16;

/** Ids sort by time. */
export const newCollectionId = (now: number): string =>
  `collection_${encodeTime(now)}${encodeBytes(randomBytes(RANDOM_LETTERS), RANDOM_LETTERS)}`;

/** Says what changes, not what the collection is afterwards, so that changes at the same time do not undo each other. */
export type CollectionChange = {
  readonly name?: string | undefined;
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
  /** Items that are not named follow, in the order that they had. */
  readonly order?: readonly string[] | undefined;
  readonly coverId?: string | null | undefined;
};

export const changeItems = (
  itemIds: readonly string[],
  { added = [], removed = [], order = [] }: CollectionChange,
): readonly string[] => {
  const gone = new Set(removed);
  const all = new Set([...itemIds.filter((id) => !gone.has(id)), ...added]);
  return [...new Set([...order.filter((id) => all.has(id)), ...all])];
};

export type Collections = {
  /** By the time of creation. */
  list(account: string): Promise<readonly Collection[]>;
  find(account: string, id: string): Promise<Collection | undefined>;
  create(collection: Collection, entry: AuditEntry): Promise<void>;
  /** False means that the collection has changed since it was read, or was deleted. */
  replace(next: Collection, before: Collection, entry: AuditEntry): Promise<boolean>;
  remove(collection: Collection, entry: AuditEntry): Promise<boolean>;
};
