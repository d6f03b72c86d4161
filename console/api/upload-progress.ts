import { useEffect, useState } from 'preact/hooks';

/** What has been sent of each image that is on its way ahead of a request. */
const sent = new Map<Blob, number>();
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

const part = (): number | undefined => {
  if (sent.size === 0) return undefined;
  let [done, all] = [0, 0];
  for (const [{ size }, bytes] of sent) {
    done += bytes;
    all += size;
  }
  return done / all;
};

/** Counts these images until the function that it returns is called. */
export const countUploads = (images: readonly Blob[]): (() => void) => {
  for (const image of images) sent.set(image, 0);
  tell();
  return () => {
    for (const image of images) sent.delete(image);
    tell();
  };
};

export const noteSent = (image: Blob, bytes: number): void => {
  if (!sent.has(image)) return;
  sent.set(image, Math.min(bytes, image.size));
  tell();
};

/** How much of the images under way has been sent, in percent; undefined where none is. */
export const useUploadPercent = (): number | undefined => {
  const [shown, setShown] = useState(part);
  useEffect(() => {
    const listener = (): void => setShown(part());
    listeners.add(listener);
    // What has happened since the first drawing.
    listener();
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return shown === undefined ? undefined : Math.floor(shown * 100);
};
