import { useQuery } from '@tanstack/preact-query';
import { queryClient } from '../api/query-client.ts';
import { clearStored, readAllStored, removeStored, writeStored } from '../storage/database.ts';

/** The service stores no images: this browser does. */
export type GalleryImage = {
  readonly id: string;
  readonly blob: Blob;
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly createdAt: number;
};

const KEY = ['gallery'] as const;
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

export const useGallery = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async () =>
      (await readAllStored<GalleryImage>('gallery')).toSorted(
        (one, other) => other.createdAt - one.createdAt,
      ),
    // It needs no network.
    networkMode: 'always',
  });

/** Shown even where it cannot be stored: then it lasts as long as the page. False tells so. */
export const addToGallery = async (image: GalleryImage): Promise<boolean> => {
  try {
    await writeStored('gallery', image.id, image);
    await refresh();
    return true;
  } catch {
    queryClient.setQueryData<GalleryImage[]>(KEY, (known = []) => [image, ...known]);
    return false;
  }
};

export const removeFromGallery = async (id: string): Promise<void> => {
  await removeStored('gallery', id);
  await refresh();
};

export const clearGallery = async (): Promise<void> => {
  await clearStored('gallery');
  await refresh();
};
