import { deleteFile, fileContentUrl } from '../api/images.ts';
import { send } from '../api/request.ts';
import { contentUrl, deleteVideo } from '../api/videos.ts';
import { PREFIX } from '../environment.ts';
import { forEachItem } from './for-each-item.ts';
import type { LibraryItem } from './items.ts';

export const itemContentUrl = ({ kind, id }: LibraryItem): string =>
  kind === 'video' ? contentUrl(id) : fileContentUrl(id);

export const deleteItem = ({ kind, id }: LibraryItem): Promise<unknown> =>
  kind === 'video' ? deleteVideo(id) : deleteFile(id);

export const deleteItems = (items: readonly LibraryItem[], onProgress: (count: number) => void) =>
  forEachItem(items, deleteItem, onProgress);

/** Browsers ignore downloads that follow each other too closely. */
const DOWNLOAD_PAUSE_MS = 300;

/** Asks first whether the file is there, because a link that fails shows nothing. */
const downloadItem = async (item: LibraryItem): Promise<void> => {
  const url = itemContentUrl(item);
  await send(url.slice(PREFIX.length), { method: 'HEAD' });
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
  await new Promise((resolve) => setTimeout(resolve, DOWNLOAD_PAUSE_MS));
};

export const downloadItems = (items: readonly LibraryItem[], onProgress: (count: number) => void) =>
  forEachItem(items, downloadItem, onProgress, 1);
