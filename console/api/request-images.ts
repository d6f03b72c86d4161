import { further } from '../shell/further.ts';
import { ApiError } from './api-error.ts';
import { areTooLarge } from './request-size.ts';
import type { RequestImage } from './shapes.ts';
import { countUploads } from './upload-progress.ts';

/** Sends images with a request: in it, or ahead of it as files where they are too large for it together. */
export const withImages = async <Result>(
  images: readonly File[],
  send: (images: readonly RequestImage[]) => Promise<Result>,
): Promise<Result> => {
  if (!areTooLarge(images)) return send(images);
  const { fileIdOf, forgetFiles } = await further();
  const countedOut = countUploads(images);
  const ids = await Promise.all(images.map(fileIdOf)).finally(countedOut);
  try {
    return await send(ids.map((fileId) => ({ fileId })));
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) forgetFiles(images);
    throw error;
  }
};
