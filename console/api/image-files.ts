import { checkImage, NO_IMAGE, readImageHeader } from '../../functions/catalogue/domain/input-image.ts';
import { MAX_IMAGE_BYTES } from '../../functions/catalogue/domain/models.ts';
import type { CreatedFileObject } from '../../functions/files/api/file-object.ts';
import { MAX_FILE_NAME_CHARACTERS } from '../../functions/files/domain/files.ts';
import { formatMegabytes, UNPRINTABLE } from '../../functions/platform/domain/text.ts';
import { texts } from '../texts/texts.ts';
import { serverNow } from './clock.ts';
import { ApiError, withRetries } from './errors.ts';
import { sendJson } from './request.ts';
import { imageBytes } from './session.ts';
import { areTooLarge, type RequestImage, reportSent, trackUploads } from './uploads.ts';

type CheckedFiles = {
  readonly accepted: readonly File[];
  readonly problems: readonly string[];
  /** Images that are accepted once they are smaller. */
  readonly tooLarge: readonly File[];
};

/** Whether the length or the sides of an image must be the problem, because nothing else is wrong. */
const isWhole = (bytes: Uint8Array): boolean => readImageHeader(bytes)?.whole === true;

const describeProblem = ({ name }: File, problem: string): string =>
  problem === NO_IMAGE ? texts.form.notAnImage(name) : texts.form.imageProblem(name, problem);

/** Runs the server's own check, so that both reject the same files. The images may have `room` bytes together. */
export const checkFiles = async (files: readonly File[], room = imageBytes()): Promise<CheckedFiles> => {
  const accepted: File[] = [];
  const problems: string[] = [];
  const tooLarge: File[] = [];
  let left = room;
  for (const file of files) {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      // The browser guesses the type from the file name; the bytes decide.
      const image = checkImage(bytes, Math.min(MAX_IMAGE_BYTES, imageBytes()));
      if (typeof image === 'string') {
        problems.push(describeProblem(file, image));
        if (isWhole(bytes)) tooLarge.push(file);
      } else if (file.size > left) {
        problems.push(texts.form.imagesTooLarge(file.name, formatMegabytes(imageBytes())));
        tooLarge.push(file);
      } else {
        accepted.push(new File([file], file.name, { type: image.mimeType }));
        left -= file.size;
      }
    } catch (error) {
      problems.push(describeProblem(file, error instanceof Error ? error.message : String(error)));
    }
  }
  return { accepted, problems, tooLarge };
};

/** Enough for a 4k video; the smaller sides are for a service that accepts less. */
const LONGEST_SIDES = [4096, 2048, 1024];
const JPEG_QUALITY = 0.9;
const CROP_QUALITY = 0.95;

const toJpeg = async (image: ImageBitmap, longest: number): Promise<Blob> => {
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas');
  // JPEG has no transparency, and would show it as black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY });
};

/** The image as a JPEG of at most `room` bytes; undefined if the browser cannot decode it or it stays too large. */
export const shrinkImage = async (file: File, room: number): Promise<File | undefined> => {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return undefined;
  try {
    for (const longest of LONGEST_SIDES) {
      const blob = await toJpeg(image, longest);
      if (blob.size <= room)
        return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
    }
    return undefined;
  } finally {
    image.close();
  }
};

type Rectangle = Pick<DOMRectReadOnly, 'x' | 'y' | 'width' | 'height'>;

/** A part of the image, in its own format if the browser can write it. */
export const cropImage = async (file: File, { x, y, width, height }: Rectangle): Promise<File> => {
  const image = await createImageBitmap(file, x, y, width, height);
  try {
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: file.type, quality: CROP_QUALITY });
    return new File([blob], file.name, { type: blob.type });
  } finally {
    image.close();
  }
};

type NewFile = CreatedFileObject & { readonly upload: NonNullable<CreatedFileObject['upload']> };

/** A stored file that expires sooner is uploaded again, because the request that names it may take a while. */
const MARGIN_SECONDS = 60 * 60;
/** An earlier upload succeeded, but its response was lost. */
const ALREADY_STORED = 412;

/** Images that are already stored, so that they are uploaded only once. */
const stored = new WeakMap<Blob, { readonly id: string; readonly expires_at: number }>();

export const sha256 = async (blob: Blob): Promise<string> => {
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
  const shortened = name.replaceAll(UNPRINTABLE, ' ').slice(-MAX_FILE_NAME_CHARACTERS).toWellFormed();
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
  // Only generated images can be kept, so an upload has an end.
  stored.set(image, { id: file.id, expires_at: file.expires_at ?? 0 });
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
  const bytes = images.reduce((sum, { size }) => sum + size, 0);
  if (bytes > imageBytes())
    throw new Error(texts.form.togetherTooLarge(formatMegabytes(bytes), formatMegabytes(imageBytes())));
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
