import { createQuery } from '../api/query.ts';
import { clearStored, readAllStored, removeStored, writeStored } from '../parts/database.ts';

/** The service stores no images: this browser does. */
export type GalleryImage = {
  readonly id: string;
  readonly blob: Blob;
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly createdAt: number;
};

export const gallery = createQuery<[], readonly GalleryImage[]>(async () =>
  (await readAllStored<GalleryImage>('gallery')).toSorted((one, other) => other.createdAt - one.createdAt),
);

/** Shown even where it cannot be stored: then it lasts as long as the page. False tells so. */
export const addToGallery = async (image: GalleryImage): Promise<boolean> => {
  try {
    await writeStored('gallery', image.id, image);
    await gallery.invalidate();
    return true;
  } catch {
    const entry = gallery.entry();
    entry.set([image, ...(entry.snapshot().data ?? [])]);
    return false;
  }
};

export const removeFromGallery = async (id: string): Promise<void> => {
  await removeStored('gallery', id);
  await gallery.invalidate();
};

export const clearGallery = async (): Promise<void> => {
  await clearStored('gallery');
  await gallery.invalidate();
};
