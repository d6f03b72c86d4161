import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeAtomically } from './atomic-write.ts';
import { type PictureKind, pictureHeader } from './picture-header.ts';
import type { Picture } from './render/render-job.ts';
import { invalid } from './upstream-error.ts';

const LONGEST_SIDE = 8192;
const FORMATS = { png: 'png_pipe', jpeg: 'jpeg_pipe', webp: 'webp_pipe' } as const satisfies Record<
  PictureKind,
  string
>;

export const unreadablePicture =
  'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting';

/** A picture of a request, by the digest of its bytes: what the cache and the operation record hold. */
export const storedPicture = z.object({ digest: z.string(), kind: z.enum(['png', 'jpeg', 'webp']) });
export type StoredPicture = z.infer<typeof storedPicture>;

export type PictureStore = {
  keep(base64: string): Promise<StoredPicture>;
  open(picture: StoredPicture): Picture;
};

const checked = (bytes: Buffer): PictureKind => {
  const header = pictureHeader(bytes);
  if (header === undefined) throw invalid(unreadablePicture);
  const { width, height, kind } = header;
  if (Math.min(width, height) < 1 || Math.max(width, height) > LONGEST_SIDE) throw invalid(unreadablePicture);
  return kind;
};

export const pictureStore = (folder: string): PictureStore => ({
  keep: async (base64) => {
    const bytes = Buffer.from(base64, 'base64');
    const kind = checked(bytes);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const path = join(folder, digest);
    // What is used stays young, so that the clearing of old files leaves it alone.
    await utimes(path, new Date(), new Date()).catch(() => writeAtomically(path, bytes));
    return { digest, kind };
  },
  open: ({ digest, kind }) => ({ path: join(folder, digest), format: FORMATS[kind] }),
});
