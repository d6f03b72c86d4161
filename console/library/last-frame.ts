import { send } from '../api/request.ts';
import { contentPath } from '../api/videos.ts';
import { NOT_CACHED } from '../playground/video-inputs.ts';
import { texts } from '../texts/texts.ts';

const TIMEOUT_MS = 30_000;
/** Close to lossless, and accepted as an input image. */
const JPEG_QUALITY = 0.95;
/** Shorter than any frame. At the exact end, some browsers show nothing. */
const BEFORE_END_SECONDS = 0.01;

const waitFor = (video: HTMLVideoElement, name: 'loadedmetadata' | 'seeked'): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(texts.library.noFrame));
    const timer = setTimeout(fail, TIMEOUT_MS);
    video.addEventListener('error', fail, { once: true });
    video.addEventListener(
      name,
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

const toBlob = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error(texts.library.noFrame)) : resolve(blob)),
      'image/jpeg',
      JPEG_QUALITY,
    ),
  );

/**
 * Draws the last frame in the browser. A player may have cached the video without the header that lets a page read its
 * pixels, so the file is loaded again.
 */
export const captureLastFrame = async (id: string): Promise<File> => {
  const file = await (await send(contentPath(id), NOT_CACHED)).blob();
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = url;
  try {
    await waitFor(video, 'loadedmetadata');
    video.currentTime = Math.max(0, video.duration - BEFORE_END_SECONDS);
    await waitFor(video, 'seeked');
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    return new File([await toBlob(canvas)], `${id}-last-frame.jpeg`, { type: 'image/jpeg' });
  } finally {
    URL.revokeObjectURL(url);
  }
};
