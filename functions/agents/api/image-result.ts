import { readImageHeader } from '../../catalogue/domain/input-image.ts';
import type { StoredFile } from '../../files/domain/files.ts';
import type { MadeImage } from '../../images/domain/kept-image.ts';
import { type Content, quoteText } from '../domain/tools.ts';
import type { Result } from './tool-results.ts';
import { linkEnd, toTime } from './video-result.ts';

/** Previews have about 20 KB. A larger one would cost more of a model's context than it is worth. */
const MAX_PREVIEW_BYTES = 40_000;

export const previewContent = (bytes: Uint8Array): readonly Content[] =>
  bytes.length > MAX_PREVIEW_BYTES
    ? []
    : [{ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: 'image/webp' }];

type ShownImage = Result<'get_image'>;

export const describeMade = ({ image, file }: MadeImage, url: string, now: number): ShownImage => {
  const bytes = Buffer.from(image.base64, 'base64');
  const header = readImageHeader(bytes);
  return {
    file_id: file?.id ?? '',
    ...(header === undefined ? {} : { width: header.width, height: header.height }),
    mime_type: header?.mimeType ?? image.mimeType,
    bytes: bytes.length,
    url,
    url_expires_at: linkEnd(now),
  };
};

const SIZE = /^(\d{1,5})x(\d{1,5})$/;

export const describeFile = (file: StoredFile, url: string, now: number): ShownImage => {
  const [, width, height] = SIZE.exec(file.output?.size ?? '') ?? [];
  return {
    file_id: file.id,
    ...(width === undefined ? {} : { width: Number(width), height: Number(height) }),
    mime_type: file.mimeType,
    bytes: file.bytes,
    url,
    url_expires_at: linkEnd(now),
    expires_at: toTime(file.expiresAt),
  };
};

type ListedImage = Result<'list_images'>['images'][number];

export const listedImage = ({ id, output, createdAt }: StoredFile): ListedImage => ({
  file_id: id,
  ...(output === undefined ? {} : { size: output.size, prompt: quoteText(output.prompt) }),
  created_at: toTime(createdAt),
});

/** The images are kept when they are finished, so a repeated call gets them without a second charge. */
export const unfinishedImages = (key: string | undefined, isReused: boolean): Result<'generate_image'> => ({
  status: 'in_progress',
  images: [],
  ...(isReused ? { reused: true } : {}),
  ...(key === undefined ? {} : { idempotency_key: key }),
  next_step:
    key === undefined
      ? 'The images are still being generated. Call list_images in half a minute.'
      : `The images are still being generated. In half a minute, call generate_image again with the same arguments and idempotency_key ${JSON.stringify(key)}: it returns these images and charges nothing more.`,
});
