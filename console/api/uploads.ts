import { createStore } from './query.ts';

/** An image of a request: the file itself, or the id of a file that the service has stored. */
export type RequestImage = File | { readonly fileId: string };

/** The gateway and the function accept this much, with some room for the texts. */
const MAX_REQUEST_BYTES = 4_300_000;

/** Whether images are too large for one request, so that they are uploaded before it. */
export const areTooLarge = (images: readonly { readonly size: number }[]): boolean =>
  images.reduce((sum, { size }) => sum + size, 0) > MAX_REQUEST_BYTES;

/** Bytes sent of each image that is being uploaded. */
export const sentBytes = createStore<ReadonlyMap<Blob, number>>(new Map());

/** Includes these images in the progress until the returned function is called. */
export const trackUploads = (images: readonly Blob[]): (() => void) => {
  sentBytes.set(new Map([...sentBytes.get(), ...images.map((image) => [image, 0] as const)]));
  return () => sentBytes.set(new Map([...sentBytes.get()].filter(([image]) => !images.includes(image))));
};

export const reportSent = (image: Blob, bytes: number): void => {
  const known = sentBytes.get();
  if (known.has(image)) sentBytes.set(new Map(known).set(image, Math.min(bytes, image.size)));
};

/** Progress of the uploads in percent; undefined without any. */
export const toPercent = (uploads: ReadonlyMap<Blob, number>): number | undefined => {
  if (uploads.size === 0) return undefined;
  let [sent, total] = [0, 0];
  for (const [{ size }, bytes] of uploads) {
    sent += bytes;
    total += size;
  }
  return Math.floor((sent / total) * 100);
};
