import type { CreatedFileObject } from '../../functions/files/api/file-object.ts';
import { MAX_FILE_NAME_CHARACTERS } from '../../functions/files/domain/files.ts';
import { checkImage } from '../../functions/platform/domain/input-image.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { ApiError } from './api-error.ts';
import { serverNow } from './clock.ts';
import { sendJson } from './request.ts';
import { withRetries } from './retries.ts';
import { areTooLarge, type RequestImage, reportSent, trackUploads } from './uploads.ts';

type CheckedFiles = { readonly accepted: readonly File[]; readonly problems: readonly string[] };

/** Runs the server's own check, so that both reject the same files with the same message. */
export const checkFiles = async (files: readonly File[]): Promise<CheckedFiles> => {
  const accepted: File[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      // The browser guesses the type from the file name; the bytes decide.
      const image = checkImage(new Uint8Array(await file.arrayBuffer()));
      if (typeof image === 'string') problems.push(texts.form.imageProblem(file.name, image));
      else accepted.push(new File([file], file.name, { type: image.mimeType }));
    } catch (error) {
      problems.push(
        texts.form.imageProblem(file.name, error instanceof Error ? error.message : String(error)),
      );
    }
  }
  return { accepted, problems };
};

type NewFile = CreatedFileObject & { readonly upload: NonNullable<CreatedFileObject['upload']> };

/** A stored file that expires sooner is uploaded again, because the request that names it may take a while. */
const MARGIN_SECONDS = 60 * 60;
/** An earlier upload succeeded, but its response was lost. */
const ALREADY_STORED = 412;

/** Images that are already stored, so that they are uploaded only once. */
const stored = new WeakMap<Blob, { readonly id: string; readonly expires_at: number }>();

const sha256 = async (blob: Blob): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Uses XMLHttpRequest because `fetch` does not report upload progress. */
const putFile = ({ url, method, headers }: NewFile['upload'], image: File): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => reportSent(image, loaded);
    request.onload = () => resolve(request.status);
    request.onerror = () =>
      reject(new ApiError(0, { error: { message: texts.errors.noConnection } }, new Headers()));
    request.send(image);
  });

const uploadTo = async (target: NewFile['upload'], image: File): Promise<void> => {
  const status = await putFile(target, image);
  if ((status >= 200 && status < 300) || status === ALREADY_STORED) return;
  throw new ApiError(status, { error: { message: texts.errors.uploadFailed(status) } }, new Headers());
};

/** Keeps the end of a long name, which has the extension. */
const toFileName = ({ name }: File): string => {
  const shortened = name
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(-MAX_FILE_NAME_CHARACTERS)
    .toWellFormed();
  return shortened.trim() === '' ? 'image' : shortened;
};

const upload = async (image: File): Promise<string> => {
  const request = {
    filename: toFileName(image),
    bytes: image.size,
    mime_type: image.type,
    purpose: 'vision',
    sha256: await sha256(image),
  };
  const file = await withRetries(() => sendJson<NewFile>('POST', '/v1/files', request));
  await withRetries(() => uploadTo(file.upload, image));
  stored.set(image, file);
  return file.id;
};

/** Uploads an image straight to the store, unless it is already there, and returns its file id. */
export const uploadImage = async (image: File): Promise<string> => {
  const file = stored.get(image);
  const isUsable = file !== undefined && file.expires_at - MARGIN_SECONDS > serverNow() / 1000;
  const id = isUsable ? file.id : await upload(image);
  reportSent(image, image.size);
  return id;
};

/** Forgets the file ids after a rejected request, because the files may have been deleted. */
export const forgetImages = (images: readonly File[]): void => {
  for (const image of images) stored.delete(image);
};

/** Sends images within a request, or uploads them first if together they are too large for it. */
export const withImages = async <Result>(
  images: readonly File[],
  send: (images: readonly RequestImage[]) => Promise<Result>,
): Promise<Result> => {
  if (!areTooLarge(images)) return send(images);
  const stopTracking = trackUploads(images);
  const ids = await Promise.all(images.map(uploadImage)).finally(stopTracking);
  try {
    return await send(ids.map((fileId) => ({ fileId })));
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) forgetImages(images);
    throw error;
  }
};
