import { IMAGE_TYPES, type ImageType, pixelSize } from '../../catalogue/domain/models.ts';
import { fileKey } from '../../files/domain/file-keys.ts';
import type { StoredFile } from '../../files/domain/files.ts';
import type { MemberRepository } from '../../identity/domain/person.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { isDeleted, type Task } from '../../videos/domain/task.ts';
import {
  type OpenedShare,
  opens,
  readToken,
  type Share,
  type ShareRepository,
  shareCheck,
} from '../domain/share.ts';
import type { Items } from './manage-shares.ts';

type OpenedItem = Pick<OpenedShare, 'content' | 'size' | 'prompt'>;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;

const readSize = (size: string): OpenedShare['size'] => {
  const [, width, height] = SIZE.exec(size) ?? [];
  return width === undefined || height === undefined
    ? undefined
    : { width: Number(width), height: Number(height) };
};

const openVideo = (task: Task, now: number): OpenedItem | undefined => {
  const { file, expiresAt, request } = task;
  if (isDeleted(task) || file === undefined || expiresAt === undefined || now >= expiresAt) return undefined;
  return {
    content: { key: file.key, contentType: 'video/mp4', fileName: 'video.mp4' },
    size: readSize(pixelSize(request.resolution, request.aspectRatio)),
    prompt: request.prompt,
  };
};

const EXTENSIONS: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const openImage = (file: StoredFile, now: number): OpenedItem | undefined => {
  const { account, id, mimeType, output, expiresAt } = file;
  // Another type could run scripts in the visitor's browser.
  if (now >= expiresAt || output === undefined || !isOneOf(IMAGE_TYPES, mimeType)) return undefined;
  return {
    content: {
      key: fileKey(account, id),
      contentType: mimeType,
      fileName: `image.${EXTENSIONS[mimeType]}`,
    },
    size: readSize(output.size),
    prompt: output.prompt,
  };
};

const openItem = async (
  { tasks, files, now }: Items,
  { account, item }: Share,
): Promise<OpenedItem | undefined> => {
  if (item.kind === 'video') {
    const task = await tasks.find(item.id);
    const isSame = task?.account === account && task.createdAt === item.createdAt;
    return task !== undefined && isSame ? openVideo(task, now()) : undefined;
  }
  const file = await files.find(account, item.id);
  return file?.createdAt === item.createdAt ? openImage(file, now()) : undefined;
};

/**
 * Undefined for a link that never existed, has expired or was revoked, for a link whose creator may not share any more,
 * and for a link to a deleted or expired item.
 */
export const openShare = async (
  {
    shares,
    members,
    ...items
  }: Items & {
    readonly shares: Pick<ShareRepository, 'find'>;
    readonly members: MemberRepository;
  },
  token: string,
): Promise<OpenedShare | undefined> => {
  const claim = readToken(token);
  const share = claim && (await shares.find(claim.id));
  if (claim === undefined || share === undefined || !opens(share, claim, items.now())) return undefined;
  const [opened, counts] = await Promise.all([openItem(items, share), shareCheck(members)(share)]);
  if (opened === undefined || !counts) return undefined;
  return {
    ...opened,
    account: share.account,
    kind: share.item.kind,
    prompt: share.showsPrompt ? opened.prompt : undefined,
    expiresAt: share.expiresAt,
  };
};
