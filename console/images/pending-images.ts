import { useEffect } from 'preact/hooks';
import { serverNow } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import { galleryPages, generateImage, type ImageRequest } from '../api/images.ts';
import { currentAccount, refreshSession, storesImages } from '../api/session.ts';
import { notify, notifyError } from '../session/notices.ts';
import {
  readPreference,
  readStored,
  removeStored,
  usePreference,
  writePreference,
  writeStored,
} from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import { addLocalImage, rememberPicture } from './gallery-images.ts';

/**
 * Requests for images that are under way. The browser keeps them, because the service finishes and charges a request
 * whose page was left or reloaded: repeated with its idempotency key, it gets that image, or the reason why there is none.
 */
export type PendingImage = {
  /** The idempotency key of the request. */
  readonly key: string;
  readonly imageSize: string;
  /** The server's time in milliseconds. */
  readonly at: number;
};

/** A request has ended by this age. */
const MAX_AGE_MS = 6 * 60_000;
const POLL_MS = 3000;

const storageName = (): string => `pending-images.${currentAccount()}`;
const requestName = (key: string): string => `image-request.${key}`;

const isPending = (value: unknown): value is PendingImage => {
  const { key, imageSize, at } = Object(value);
  return [key, imageSize].every((text) => typeof text === 'string') && typeof at === 'number';
};

const parse = (text: string | undefined): readonly PendingImage[] => {
  try {
    const values: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(values) ? values.filter(isPending) : [];
  } catch {
    // Not ours.
    return [];
  }
};

const change = (key: string, ...pending: readonly PendingImage[]): void => {
  const others = parse(readPreference(storageName())).filter((other) => other.key !== key);
  const next = [...others, ...pending];
  writePreference(storageName(), next.length === 0 ? undefined : JSON.stringify(next));
};

const forget = async (key: string): Promise<void> => {
  change(key);
  await removeStored('drafts', requestName(key)).catch(() => {});
};

/** The service refuses a repeated request as long as the first one is under way. */
const waitForImage = async (request: ImageRequest, key: string) => {
  for (;;)
    try {
      return await generateImage(request, key);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'ABORTED') throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
};

/** Adds the image to the gallery even if another page of the console is shown meanwhile. */
const receiveImage = async (request: ImageRequest, key: string): Promise<void> => {
  const { blob, fileId } = await waitForImage(request, key);
  if (fileId !== undefined) {
    rememberPicture(fileId, blob);
    await galleryPages.invalidate();
    return;
  }
  const isStored = await addLocalImage({
    id: `image-${key}`,
    blob,
    prompt: request.prompt,
    size: `${request.aspectRatio} · ${request.imageSize}`,
    createdAt: serverNow() / 1000,
  });
  if (!isStored) notify(texts.images.notStored);
};

/** Requests of this page. */
const awaited = new Set<string>();

/** Remembers the request until it has ended. The lock keeps other tabs from repeating it. */
const whileAwaited = async (key: string, run: () => Promise<void>): Promise<void> => {
  awaited.add(key);
  // A page that is being left loses its requests, which go on.
  let isLeft = false;
  const leave = (): void => {
    isLeft = true;
  };
  addEventListener('pagehide', leave);
  try {
    await navigator.locks.request(key, () => run().finally(() => (isLeft ? undefined : forget(key))));
  } finally {
    removeEventListener('pagehide', leave);
    awaited.delete(key);
  }
};

export const createImage = (request: ImageRequest, key: string): Promise<void> =>
  whileAwaited(key, async () => {
    change(key, { key, imageSize: request.imageSize, at: serverNow() });
    // Without stored images, a repeated request would be charged again.
    if (storesImages()) await writeStored('drafts', requestName(key), request).catch(() => {});
    await receiveImage(request, key);
  });

const resume = async ({ key, at }: PendingImage): Promise<void> => {
  try {
    await whileAwaited(key, async () => {
      // Another tab has removed it if it got the response.
      const request = await readStored<ImageRequest>('drafts', requestName(key));
      if (request !== undefined && serverNow() - at < MAX_AGE_MS) await receiveImage(request, key);
      else await galleryPages.invalidate();
    });
  } catch (error) {
    notifyError(error);
  } finally {
    refreshSession();
  }
};

export const usePendingImages = (): readonly PendingImage[] => {
  const [stored] = usePreference(storageName());
  const pending = parse(stored);
  useEffect(() => {
    for (const each of pending) if (!awaited.has(each.key)) void resume(each);
  }, [stored]);
  return pending;
};
