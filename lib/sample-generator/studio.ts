import { type CacheFolders, prepareCache, removeOldFiles } from './cache-folders.ts';
import { type PictureStore, pictureStore } from './pictures.ts';
import { type RenderCache, renderCache } from './render-cache.ts';
import { renderQueue } from './render-queue.ts';

export type StudioOptions = {
  readonly cacheDir: string;
  /** For tests, which render less: few frames, silence, and the same picture for all prompts, models and seeds. */
  readonly drafts?: boolean;
};

/** Renders media; several upstreams can share it. */
export type Studio = {
  readonly folders: CacheFolders;
  readonly pictures: PictureStore;
  readonly renderCache: RenderCache;
  close(): void;
};

const CLEANUP_MILLISECONDS = 3600 * 1000;

export const openStudio = async ({ cacheDir, drafts }: StudioOptions): Promise<Studio> => {
  const folders = await prepareCache(cacheDir);
  await removeOldFiles(folders);
  const cleanup = setInterval(() => removeOldFiles(folders).catch(() => {}), CLEANUP_MILLISECONDS).unref();
  const queue = renderQueue({ trustsPictures: drafts });
  const pictures = pictureStore(folders.pictures);
  return {
    folders,
    pictures,
    renderCache: renderCache(folders, pictures, queue, drafts),
    close: () => {
      clearInterval(cleanup);
      queue.close();
    },
  };
};
