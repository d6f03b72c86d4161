import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import type { FileList, FileObject } from '../../functions/files/api/file-object.ts';
import { PREFIX } from '../environment.ts';
import { texts } from '../texts/texts.ts';
import { ApiError } from './errors.ts';
import { afterLast, createPagedQuery, createQuery, emptyList, type ItemFilter } from './query.ts';
import { getJson, queryString, send, sendJson } from './request.ts';
import type { RequestImage } from './uploads.ts';

export type ImageRequest = {
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly inputs: readonly RequestImage[];
};

type Part = { readonly text?: string; readonly thought?: boolean; readonly inlineData?: InlineData };
type InlineData = { readonly mimeType: string; readonly data: string };
type ImageResponse = {
  readonly candidates: readonly { readonly content?: { readonly parts?: readonly Part[] } }[];
};

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const fromBase64 = ({ data, mimeType }: InlineData): Blob =>
  new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], { type: mimeType });

const toPart = async (image: RequestImage) =>
  image instanceof File
    ? { inlineData: { mimeType: image.type, data: await toBase64(image) } }
    : { fileData: { fileUri: `files/${image.fileId}` } };

const toRequestBody = async (request: ImageRequest) => ({
  contents: [
    {
      parts: [{ text: request.prompt }, ...(await Promise.all(request.inputs.map(toPart)))],
    },
  ],
  generationConfig: {
    responseModalities: ['IMAGE'],
    imageConfig: { aspectRatio: request.aspectRatio, imageSize: request.imageSize },
  },
});

type GeneratedImage = {
  readonly blob: Blob;
  /** Undefined if the service does not store images. */
  readonly fileId: string | undefined;
};

/** Repeating the request with its key returns the stored image, without another charge. */
export const generateImage = async (
  request: ImageRequest,
  idempotencyKey: string,
): Promise<GeneratedImage> => {
  const response = await send(`/v1beta/models/${IMAGE_MODEL}:generateContent`, {
    method: 'POST',
    body: JSON.stringify(await toRequestBody(request)),
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  });
  const { candidates }: ImageResponse = await response.json();
  const parts = candidates[0]?.content?.parts ?? [];
  const image = parts.findLast(({ thought, inlineData }) => thought !== true && inlineData !== undefined);
  if (image?.inlineData === undefined) throw new Error(texts.errors.noImage);
  return {
    blob: fromBase64(image.inlineData),
    fileId: response.headers.get('x-file-id') ?? undefined,
  };
};

export type OutputFile = FileList['data'][number];

const IMAGES_PER_PAGE = 100;
const GALLERY_PAGE = 24;

export const filePath = (id: string): string => `/v1/files/${encodeURIComponent(id)}`;

export const fileContentPath = (id: string): string => `${filePath(id)}/content`;
/** Same origin, so that the browser sends the cookie; it redirects to the file. */
export const fileContentUrl = (id: string): string => `${PREFIX}${fileContentPath(id)}`;
export const previewUrl = (id: string): string => `${PREFIX}${filePath(id)}/preview`;

/** A file that the page shows may be cached without the headers that let a script read it. */
export const readFile = (path: string, init: RequestInit = {}): Promise<Response> =>
  send(path, { cache: 'no-store', ...init });

/** Undefined if the file has expired, was deleted or belongs to another account. */
export const unlessGone = async <Result>(load: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ApiError && [403, 404, 410].includes(error.status)) return undefined;
    throw error;
  }
};

export const files = createQuery<[id: string], FileObject>((signal, [id]) => getJson(filePath(id), signal));

const listImages = (filter: ItemFilter, limit: number, after: string, signal: AbortSignal) =>
  getJson<FileList>(`/v1/files${queryString({ ...filter, purpose: 'output', limit, after })}`, signal);

/** For the gallery of the playground, the newest first. */
export const galleryPages = createPagedQuery<[filter: ItemFilter], FileList>(
  ([filter], after, signal) => listImages(filter, GALLERY_PAGE, after, signal),
  afterLast,
);

/** Without a filter, the list is empty. */
export const imagePages = createPagedQuery<[filter: ItemFilter | null], FileList>(
  async ([filter], after, signal) =>
    filter === null ? emptyList() : listImages(filter, IMAGES_PER_PAGE, after, signal),
  afterLast,
);

export const deleteFile = (id: string): Promise<unknown> => sendJson('DELETE', filePath(id));
