import { IMAGE_TYPES, type ImageType, pixelSize } from '../../catalogue/domain/models.ts';
import { fileKey } from '../../files/domain/file-keys.ts';
import { isFileId, type StoredFile } from '../../files/domain/files.ts';
import type { MemberRepository } from '../../identity/domain/person.ts';
import type { Collection } from '../../library/domain/collections.ts';
import { opaqueName } from '../../platform/domain/ids.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { isDeleted, type Task } from '../../videos/domain/task.ts';
import {
  type OpenedCollection,
  type OpenedItem,
  type OpenedPart,
  type OpenedShare,
  opens,
  readToken,
  type Share,
  type ShareRepository,
  shareCheck,
} from '../domain/share.ts';
import type { Items } from './manage-shares.ts';

const SIZE = /^(\d{1,5})x(\d{1,5})$/;

const readSize = (size: string): OpenedItem['size'] => {
  const [, width, height] = SIZE.exec(size) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
};

/** An item as it is stored. */
type Found = OpenedItem & { readonly createdAt: number };

const toVideo = (task: Task): Found | undefined => {
  const { file, expiresAt, createdAt, request } = task;
  if (isDeleted(task) || file === undefined || expiresAt === undefined) return undefined;
  return {
    kind: 'video',
    content: { key: file.key, contentType: 'video/mp4', fileName: 'video.mp4' },
    size: readSize(pixelSize(request.resolution, request.aspectRatio)),
    prompt: request.prompt,
    createdAt,
    expiresAt,
  };
};

const EXTENSIONS: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const toImage = ({ account, id, mimeType, output, createdAt, expiresAt }: StoredFile): Found | undefined => {
  // Another type could run scripts in the visitor's browser.
  if (output === undefined || !isOneOf(IMAGE_TYPES, mimeType)) return undefined;
  return {
    kind: 'image',
    content: { key: fileKey(account, id), contentType: mimeType, fileName: `image.${EXTENSIONS[mimeType]}` },
    size: readSize(output.size),
    prompt: output.prompt,
    createdAt,
    expiresAt,
  };
};

/** Undefined for an item of another account, for a deleted or expired one, and for one without content. */
const openItem = async (items: Items, share: Share, id: string): Promise<Found | undefined> => {
  const { account, showsPrompt } = share;
  const find = async (): Promise<Found | undefined> => {
    if (isFileId(id)) {
      const file = await items.files.find(account, id);
      return file && toImage(file);
    }
    const task = await items.tasks.find(id);
    return task?.account === account ? toVideo(task) : undefined;
  };
  const found = await find();
  if (found === undefined || items.now() >= found.expiresAt) return undefined;
  return {
    ...found,
    prompt: showsPrompt ? found.prompt : undefined,
    expiresAt: Math.min(found.expiresAt, share.expiresAt),
  };
};

/** The items of a collection by their position. */
const collectedParts = (items: Items, share: Share, { itemIds }: Collection) => {
  const names = itemIds.map((id) => opaqueName(share.tokenHash, id));
  const open = async (index: number): Promise<OpenedPart | undefined> => {
    const [id, name] = [itemIds[index], names[index]];
    const found = id === undefined ? undefined : await openItem(items, share, id);
    if (found === undefined || name === undefined) return undefined;
    const { content, kind } = found;
    const position = index + 1;
    const fileName = content.fileName.replace(kind, `${kind}-${position}`);
    return { ...found, content: { ...content, fileName }, name, position };
  };
  return { names, open };
};

/** The items on one page, and how many are read at most to find some: a public page must not read hundreds. */
const PAGE_ITEMS = 24;
const MAX_READ = 4 * PAGE_ITEMS;

/** Opens the collection at the item with this name, or else at its cover. */
const openCollection = async (
  items: Items,
  share: Share,
  collection: Collection,
  wanted: string | undefined,
): Promise<OpenedCollection> => {
  const { name: title, itemIds, coverId } = collection;
  const { names, open } = collectedParts(items, share, collection);
  const at = wanted === undefined ? -1 : names.indexOf(wanted);
  const from = Math.floor(Math.max(at, 0) / PAGE_ITEMS) * PAGE_ITEMS;
  const parts: OpenedPart[] = [];
  let end = from;
  while (parts.length === 0 && end < Math.min(itemIds.length, from + MAX_READ)) {
    const start = end;
    end = start + PAGE_ITEMS;
    const found = await Promise.all(itemIds.slice(start, end).map((_, offset) => open(start + offset)));
    parts.push(...found.filter((part) => part !== undefined));
  }
  const index = at < 0 && coverId !== undefined ? itemIds.indexOf(coverId) : at;
  const chosen = parts.find(({ position }) => position === index + 1) ?? (await open(index));
  return {
    kind: 'collection',
    title,
    total: itemIds.length,
    shown: chosen ?? parts[0],
    parts,
    before: names[from - 1],
    after: names[end],
  };
};

type Dependencies = Items & {
  readonly shares: Pick<ShareRepository, 'find'>;
  readonly members: MemberRepository;
};

/** Undefined for a link that never existed, has expired or was revoked, or whose creator may not share any more. */
const openWith = async <Opened>(
  { shares, members, ...items }: Dependencies,
  token: string,
  open: (items: Items, share: Share) => Promise<Opened | undefined>,
): Promise<(Pick<OpenedShare, 'account' | 'expiresAt'> & { readonly opened: Opened }) | undefined> => {
  const claim = readToken(token);
  const share = claim && (await shares.find(claim.id));
  if (claim === undefined || share === undefined || !opens(share, claim, items.now())) return undefined;
  const [opened, counts] = await Promise.all([open(items, share), shareCheck(members)(share)]);
  if (opened === undefined || !counts) return undefined;
  return { account: share.account, expiresAt: share.expiresAt, opened };
};

const findCollection = async ({ collections }: Items, { account, item }: Share) => {
  const found = await collections.find(account, item.id);
  return found?.createdAt === item.createdAt ? found : undefined;
};

const openSingle = async (items: Items, share: Share): Promise<OpenedItem | undefined> => {
  const found = await openItem(items, share, share.item.id);
  return found?.createdAt === share.item.createdAt ? found : undefined;
};

/** The page of a link, with the item of this name if it is a collection. */
export const openShare = (
  dependencies: Dependencies,
  token: string,
  wanted?: string,
): Promise<OpenedShare | undefined> =>
  openWith<OpenedShare['opened']>(dependencies, token, async (items, share) => {
    if (share.item.kind !== 'collection') return openSingle(items, share);
    const collection = await findCollection(items, share);
    return collection && openCollection(items, share, collection, wanted);
  });

/** The content of a link, or of the item with this name in its collection. */
export const openSharedContent = (dependencies: Dependencies, token: string, wanted = '') =>
  openWith<OpenedItem>(dependencies, token, async (items, share) => {
    if (share.item.kind !== 'collection') return openSingle(items, share);
    const collection = await findCollection(items, share);
    if (collection === undefined) return undefined;
    const { names, open } = collectedParts(items, share, collection);
    return open(names.indexOf(wanted));
  });
