import { fileContentPath, readFile } from '../api/images.ts';
import { contentPath } from '../api/videos.ts';
import { texts } from '../texts/texts.ts';
import type { DraggedItem } from './dragged-item.ts';

export const toFile = (blob: Blob, name: string): File =>
  new File([blob], `${name}.${blob.type.slice('image/'.length)}`, { type: blob.type });

const FRAME_TIMEOUT_MS = 30_000;
/** Close to lossless, and accepted as an input image. */
const JPEG_QUALITY = 0.95;
/** Shorter than any frame. At the exact end, some browsers show nothing. */
const BEFORE_END_SECONDS = 0.01;

const waitFor = (video: HTMLVideoElement, name: 'loadedmetadata' | 'seeked'): Promise<void> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(FRAME_TIMEOUT_MS);
    const fail = (): void => reject(new Error(texts.library.noFrame));
    signal.addEventListener('abort', fail);
    video.addEventListener('error', fail, { signal });
    video.addEventListener(name, () => resolve(), { signal });
  });

/** Draws the last frame in the browser. */
export const captureLastFrame = async (id: string): Promise<File> => {
  const file = await (await readFile(contentPath(id))).blob();
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = url;
  try {
    await waitFor(video, 'loadedmetadata');
    video.currentTime = Math.max(0, video.duration - BEFORE_END_SECONDS);
    await waitFor(video, 'seeked');
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    const frame = await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY });
    return toFile(frame, `${id}-last-frame`);
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** An item of the library as an input: an image, or the last frame of a video. */
export const loadItemImage = async ({ kind, id }: DraggedItem): Promise<File> =>
  kind === 'video' ? captureLastFrame(id) : toFile(await (await readFile(fileContentPath(id))).blob(), id);
