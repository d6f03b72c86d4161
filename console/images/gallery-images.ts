import { usePages, useQuery } from '../api/hooks.ts';
import { galleryPages, type OutputFile } from '../api/images.ts';
import { createQuery, type ItemFilter } from '../api/query.ts';
import { ownFilter, useScope } from '../parts/scope.tsx';
import { useCurrentSession } from '../session/session.ts';
import { readAllStored, removeStored, writeStored } from '../session/storage.ts';

/** An image of a service that stores none: only this browser has it. */
export type LocalImage = {
  readonly id: string;
  readonly blob: Blob;
  readonly prompt: string;
  readonly size: string;
  /** Unix seconds. */
  readonly createdAt: number;
};

export type GalleryImage = Omit<LocalImage, 'blob'> & {
  readonly name: string;
  readonly from: { readonly file: OutputFile } | { readonly blob: Blob };
};

const MAX_PICTURES = 12;
/** The last images that this page received, so that they are not downloaded again. */
const pictures = new Map<string, Blob>();

export const rememberPicture = (fileId: string, blob: Blob): void => {
  pictures.set(fileId, blob);
  for (const id of [...pictures.keys()].slice(0, -MAX_PICTURES)) pictures.delete(id);
};

export const findPicture = (fileId: string): Blob | undefined => pictures.get(fileId);

const localImages = createQuery<[], readonly LocalImage[]>(() => readAllStored<LocalImage>('gallery'));

/** Returns false if the browser cannot store the image, which is then lost with the page. */
export const addLocalImage = async (image: LocalImage): Promise<boolean> => {
  try {
    await writeStored('gallery', image.id, image);
    await localImages.invalidate();
    return true;
  } catch {
    const entry = localImages.entry();
    entry.set([image, ...(entry.snapshot().data ?? [])]);
    return false;
  }
};

export const removeLocalImage = async (id: string): Promise<void> => {
  await removeStored('gallery', id);
  await localImages.invalidate();
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const fromLocal = ({ blob, ...image }: LocalImage): GalleryImage => ({
  ...image,
  name: `${image.id}.${EXTENSIONS[blob.type] ?? 'bin'}`,
  from: { blob },
});

const fromFile = (file: OutputFile): GalleryImage => ({
  id: file.id,
  name: file.filename,
  prompt: file.prompt ?? '',
  size: file.size ?? '',
  createdAt: file.created_at,
  from: { file },
});

const ALL: ItemFilter = {};

/** One's own images or those of the account, and those that only this browser has, the newest first. */
export const useGallery = () => {
  const session = useCurrentSession();
  const [scope] = useScope();
  const { data: pages, ...state } = usePages(galleryPages, scope === 'mine' ? ownFilter(session) : ALL);
  const { data: local = [], error: localError } = useQuery(localImages);
  const files = (pages ?? []).flatMap(({ data }) => data);
  return {
    ...state,
    files,
    isLoading: pages === undefined && state.error === null,
    error: state.error ?? localError,
    images: [...local.map(fromLocal), ...files.map(fromFile)].toSorted(
      (one, other) => other.createdAt - one.createdAt,
    ),
  };
};
