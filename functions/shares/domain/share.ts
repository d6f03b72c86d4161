import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import { type Member, type MemberRepository, stillGrants } from '../../identity/domain/person.ts';
import { MAKER_ROLES } from '../../identity/domain/roles.ts';
import { SIGNED_URL_SECONDS } from '../../platform/domain/durations.ts';
import { encodeBytes, encodeTime } from '../../platform/domain/ids.ts';
import type { Page } from '../../platform/domain/pages.ts';

/** The live links of one account. */
export const MAX_SHARES = 1000;
export const SHARE_SECONDS = { least: 3600, most: 7 * 24 * 60 * 60, default: 24 * 60 * 60 } as const;

export const SHARED_KINDS = ['video', 'image', 'collection'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];
export type SharedName = { readonly kind: SharedKind; readonly id: string };

/** A link to a video, an image or a collection, which opens without an account. The link itself is not kept. */
export type Share = {
  readonly id: string;
  /** The SHA-256 of the token in the link. */
  readonly tokenHash: string;
  readonly account: string;
  /** The key or console session that created it. */
  readonly keyId: string;
  /** The person in whose name it was created, with whose right to share it ends; undefined for a key of the account. */
  readonly personId?: string | undefined;
  /** An id can be used again after a deletion; the time tells the two items apart. */
  readonly item: SharedName & { readonly createdAt: number };
  readonly showsPrompt: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** The time of the link in ten characters, then 160 random bits. Letters and digits only, so that no chat cuts the link. */
const TOKEN = /^[0-7][0-9a-hjkmnp-tv-z]{41}$/;
export const SHARE_ID = /^share_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const TIME_LENGTH = 10;
const SECRET_LENGTH = 32;

export const isShareId = (id: string): boolean => SHARE_ID.test(id);

/** The id and the hash that a token leads to; undefined if it is malformed. The token cannot be computed from them. */
export const readToken = (token: string): Pick<Share, 'id' | 'tokenHash'> | undefined => {
  if (!TOKEN.test(token)) return undefined;
  const hash = createHash('sha256').update(token).digest();
  return {
    id: `share_${token.slice(0, TIME_LENGTH)}${encodeBytes(hash, 16)}`,
    tokenHash: hash.toString('hex'),
  };
};

/** Creates a link. The token is shown once. Ids sort by time, so that a list can continue after a revoked link. */
export const newShare = (
  terms: Omit<Share, 'id' | 'tokenHash'>,
): { readonly share: Share; readonly token: string } => {
  const token = `${encodeTime(terms.createdAt)}${encodeBytes(randomBytes(SECRET_LENGTH))}`;
  const claim = readToken(token);
  if (claim === undefined) throw new Error('a new token is malformed');
  return { share: { ...terms, ...claim }, token };
};

export const opens = (share: Share, { tokenHash }: Pick<Share, 'tokenHash'>, now: number): boolean =>
  now < share.expiresAt && timingSafeEqual(Buffer.from(share.tokenHash), Buffer.from(tokenHash));

/** Tells whether a link still counts; people whom several links have in common are looked up once. */
export const shareCheck = (members: MemberRepository) => {
  const makers = new Map<string, Promise<Member | undefined>>();
  return async ({ account, personId, createdAt }: Share): Promise<boolean> => {
    if (personId === undefined) return true;
    const maker = makers.get(personId) ?? members.find(account, personId);
    makers.set(personId, maker);
    return stillGrants(await maker, MAKER_ROLES.share, createdAt);
  };
};

export type SharePageQuery = {
  readonly limit: number;
  readonly after: string | undefined;
  readonly item: SharedName | undefined;
};

export type ShareRepository = {
  /** False if the account has the most live links that it can have. */
  add(share: Share, entry: AuditEntry): Promise<boolean>;
  /** Also finds an expired link. */
  find(id: string): Promise<Share | undefined>;
  /** The live links of an account that still count, newest first. */
  page(account: string, query: SharePageQuery, now: number): Promise<Page<Share>>;
  /** False if the account has no such live link. */
  remove(account: string, id: string, now: number, entry: AuditEntry): Promise<boolean>;
};

export type Disposition = 'inline' | 'attachment';

/** The bytes behind a link. The name in the store contains neither the account nor an id. */
export type SharedContent = {
  readonly key: string;
  readonly contentType: string;
  readonly fileName: string;
};
/** A video or image as far as a visitor may know it. */
export type OpenedItem = {
  readonly kind: Exclude<SharedKind, 'collection'>;
  readonly content: SharedContent;
  /** In pixels; undefined if unknown. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly prompt: string | undefined;
  /** When the link or the item ends, whichever is earlier. */
  readonly expiresAt: number;
};
/** An item of a collection. Its name leads to it within this link, and says nothing about its id. */
export type OpenedPart = OpenedItem & { readonly name: string; readonly position: number };
export type OpenedCollection = {
  readonly kind: 'collection';
  readonly title: string;
  /** The number of items, including those that have ended. */
  readonly total: number;
  /** The item that is shown large; undefined if there is none. */
  readonly shown: OpenedPart | undefined;
  /** The items around it that still exist, in their order. */
  readonly parts: readonly OpenedPart[];
  /** The names of items that lead to the parts before and after these; undefined at the ends. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};
/** Everything that a visitor may know. */
export type OpenedShare = {
  /** Only for the log. */
  readonly account: string;
  readonly expiresAt: number;
  readonly opened: OpenedItem | OpenedCollection;
};

/** Whoever opened a link can read its content for this long after it was revoked, but not after it expires. */
export const contentSeconds = (expiresAt: number, now: number): number =>
  Math.max(1, Math.min(SIGNED_URL_SECONDS, Math.floor((expiresAt - now) / 1000)));
