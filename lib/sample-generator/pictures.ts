import { createHash, randomBytes } from 'node:crypto';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Picture } from './render/render-job.ts';
import { invalid } from './upstream-error.ts';

type PictureKind = 'png' | 'jpeg' | 'webp';
type PictureHeader = { readonly kind: PictureKind; readonly width: number; readonly height: number };

const png = (bytes: Buffer): PictureHeader | undefined => {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

// Of C0 to CF, all but these three are start-of-frame markers.
const isFrameStart = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpeg = (bytes: Buffer): PictureHeader | undefined => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrameStart(marker)) {
      return { kind: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

const webpSize = (bytes: Buffer): readonly [number, number] | undefined => {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (chunk !== 'VP8L') return undefined;
  const packed = bytes.readUInt32LE(21);
  return [1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff)];
};

const webp = (bytes: Buffer): PictureHeader | undefined => {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const size = webpSize(bytes);
  return size && { kind: 'webp', width: size[0], height: size[1] };
};

/** Reads kind and size from the header: the server decodes no pictures. */
const pictureHeader = (bytes: Buffer): PictureHeader | undefined => png(bytes) ?? jpeg(bytes) ?? webp(bytes);

const LONGEST_SIDE = 8192;
const FORMATS = { png: 'png_pipe', jpeg: 'jpeg_pipe', webp: 'webp_pipe' } as const satisfies Record<
  PictureKind,
  string
>;

export const unreadablePicture =
  'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting';

/** How cache keys and operation records refer to an input picture. */
export const storedPicture = z.object({ digest: z.string(), kind: z.enum(['png', 'jpeg', 'webp']) });
export type StoredPicture = z.infer<typeof storedPicture>;

const checked = (bytes: Buffer): PictureKind => {
  const header = pictureHeader(bytes);
  if (header === undefined) throw invalid(unreadablePicture);
  const { width, height, kind } = header;
  if (Math.min(width, height) < 1 || Math.max(width, height) > LONGEST_SIDE) throw invalid(unreadablePicture);
  return kind;
};

/** Readers see the whole file or none, even with concurrent writers. */
export const writeAtomically = async (path: string, content: string | Buffer) => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content);
  await rename(draft, path);
};

export const pictureStore = (folder: string) => ({
  keep: async (bytes: Buffer): Promise<StoredPicture> => {
    const kind = checked(bytes);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const path = join(folder, digest);
    // Files in use are kept young, so that they are not removed as old.
    await utimes(path, new Date(), new Date()).catch(() => writeAtomically(path, bytes));
    return { digest, kind };
  },
  open: ({ digest, kind }: StoredPicture): Picture => ({ path: join(folder, digest), format: FORMATS[kind] }),
});

export type PictureStore = ReturnType<typeof pictureStore>;
