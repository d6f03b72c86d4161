import { MAX_FILE_NAME_CHARACTERS } from '../../functions/files/domain/files.ts';
import { texts } from '../texts.ts';
import { ApiError } from './api-error.ts';
import { serverNow } from './clock.ts';
import { sendJson } from './request.ts';
import { withRetries } from './retries.ts';
import { noteSent } from './upload-progress.ts';

type NewFile = {
  readonly id: string;
  readonly expires_at: number;
  readonly upload: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
};

/** A file that runs out sooner is not used again: the request that names it may take a while. */
const MARGIN_SECONDS = 60 * 60;
/** An earlier try arrived, and only its answer was lost. */
const ALREADY_STORED = 412;

/** The same image, used again, is not sent again. */
const known = new WeakMap<Blob, { readonly id: string; readonly expires_at: number }>();

const sha256 = async (blob: Blob): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Not by `fetch`, which does not tell how far it is. */
const send = ({ url, method, headers }: NewFile['upload'], image: File): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => noteSent(image, loaded);
    request.onload = () => resolve(request.status);
    request.onerror = () =>
      reject(new ApiError(0, { error: { message: texts.errors.noConnection } }, new Headers()));
    request.send(image);
  });

const put = async (upload: NewFile['upload'], image: File): Promise<void> => {
  const status = await send(upload, image);
  if ((status >= 200 && status < 300) || status === ALREADY_STORED) return;
  throw new ApiError(status, { error: { message: texts.errors.uploadRefused(status) } }, new Headers());
};

/** As much of the end of its name as the service takes: the end has the kind of file. */
const nameOf = ({ name }: File): string => {
  const shown = name
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(-MAX_FILE_NAME_CHARACTERS)
    .toWellFormed();
  return shown.trim() === '' ? 'image' : shown;
};

const upload = async (image: File): Promise<string> => {
  const order = {
    filename: nameOf(image),
    bytes: image.size,
    mime_type: image.type,
    purpose: 'vision',
    sha256: await sha256(image),
  };
  const file = await withRetries(() => sendJson<NewFile>('POST', '/v1/files', order));
  await withRetries(() => put(file.upload, image));
  known.set(image, file);
  return file.id;
};

/** The id under which the service has an image; one that it does not have is sent straight to its store. */
export const fileIdOf = async (image: File): Promise<string> => {
  const file = known.get(image);
  const isGood = file !== undefined && file.expires_at - MARGIN_SECONDS > serverNow() / 1000;
  const id = isGood ? file.id : await upload(image);
  noteSent(image, image.size);
  return id;
};

/** After a refusal: a file may have been deleted meanwhile. */
export const forgetFiles = (images: readonly File[]): void => {
  for (const image of images) known.delete(image);
};
