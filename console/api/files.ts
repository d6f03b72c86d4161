import type { FileList, FileObject } from '../../functions/files/api/file-object.ts';
import { PREFIX } from '../environment.ts';
import { createPagedQuery, createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

/** The generated images of the account. */
export type OutputFile = FileList['data'][number];

const IMAGES_PER_PAGE = 100;
const GALLERY_PAGE = 24;

export type ImageFilter = {
  readonly model?: string | undefined;
  readonly api_key_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
};

const filePath = (id: string): string => `/v1/files/${encodeURIComponent(id)}`;

/** Same origin, so that the browser sends the cookie; it redirects to the file. */
export const fileContentUrl = (id: string): string => `${PREFIX}${filePath(id)}/content`;
export const previewUrl = (id: string): string => `${PREFIX}${filePath(id)}/preview`;

export const files = createQuery<[id: string], FileObject>((signal, [id]) => getJson(filePath(id), signal));

const NO_IMAGES: FileList = { object: 'list', data: [], first_id: null, last_id: null, has_more: false };

const nextPage = ({ has_more, last_id }: FileList): string | undefined =>
  has_more && last_id !== null ? last_id : undefined;

/** For the gallery of the playground, the newest first. */
export const galleryPages = createPagedQuery<[], FileList>(
  (_, after, signal) =>
    getJson(`/v1/files${queryString({ purpose: 'output', limit: GALLERY_PAGE, after })}`, signal),
  nextPage,
);

/** Without a filter, the list is empty. */
export const fetchImages = async (
  filter: ImageFilter | null,
  after: string,
  signal: AbortSignal,
): Promise<FileList> =>
  filter === null
    ? NO_IMAGES
    : getJson(
        `/v1/files${queryString({ ...filter, purpose: 'output', limit: IMAGES_PER_PAGE, after })}`,
        signal,
      );

export const imagePages = createPagedQuery<[filter: ImageFilter | null], FileList>(
  ([filter], after, signal) => fetchImages(filter, after, signal),
  nextPage,
);

export const deleteFile = (id: string): Promise<unknown> => sendJson('DELETE', filePath(id));
