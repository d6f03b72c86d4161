/** An image of a request: the file itself, or the id of a file that the service has stored. */
export type RequestImage = File | { readonly fileId: string };

/** The gateway and the function accept this much, with some room for the texts. */
const MAX_REQUEST_BYTES = 4_300_000;

/** Whether images are too large for one request, so that they are uploaded before it. */
export const areTooLarge = (images: readonly { readonly size: number }[]): boolean =>
  images.reduce((sum, { size }) => sum + size, 0) > MAX_REQUEST_BYTES;

/** Bytes sent of each image that is being uploaded. */
const sentBytes = new Map<Blob, number>();
const listeners = new Set<() => void>();

const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** Includes these images in the progress until the returned function is called. */
export const trackUploads = (images: readonly Blob[]): (() => void) => {
  for (const image of images) sentBytes.set(image, 0);
  notifyListeners();
  return () => {
    for (const image of images) sentBytes.delete(image);
    notifyListeners();
  };
};

export const reportSent = (image: Blob, bytes: number): void => {
  if (!sentBytes.has(image)) return;
  sentBytes.set(image, Math.min(bytes, image.size));
  notifyListeners();
};

/** Progress of the current uploads in percent; undefined without any. */
export const uploadPercent = (): number | undefined => {
  if (sentBytes.size === 0) return undefined;
  let [sent, total] = [0, 0];
  for (const [{ size }, bytes] of sentBytes) {
    sent += bytes;
    total += size;
  }
  return Math.floor((sent / total) * 100);
};

export const onUploadProgress = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
