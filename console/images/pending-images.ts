import { useEffect, useState } from 'preact/hooks';
import { serverNow, useNow } from '../api/clock.ts';
import { galleryPages, type OutputFile } from '../api/images.ts';
import { currentAccount } from '../api/session.ts';
import { readPreference, usePreference, writePreference } from '../parts/storage.ts';

/**
 * Requests for images that are under way. The browser keeps them, because the service finishes and charges a request
 * whose page was left or reloaded: its image then appears in the gallery without a response.
 */
export type PendingImage = {
  /** The idempotency key of the request. */
  readonly key: string;
  readonly prompt: string;
  readonly imageSize: string;
  /** The server's time in milliseconds. */
  readonly at: number;
};

/** A request has ended by this age. */
const MAX_AGE_MS = 6 * 60_000;
const POLL_MS = 3000;
/** Both times have whole seconds. */
const TOLERANCE_MS = 2000;

const storageName = (): string => `pending-images.${currentAccount()}`;

const isPending = (value: unknown): value is PendingImage => {
  const { key, prompt, imageSize, at } = Object(value);
  return [key, prompt, imageSize].every((text) => typeof text === 'string') && typeof at === 'number';
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

const change = (edit: (pending: readonly PendingImage[]) => readonly PendingImage[]): void => {
  const next = edit(parse(readPreference(storageName())));
  writePreference(storageName(), next.length === 0 ? undefined : JSON.stringify(next));
};

/** Requests of this page, whose responses remove them. */
const awaited = new Set<string>();

const removePending = (keys: readonly string[]): void =>
  change((pending) => pending.filter(({ key }) => !keys.includes(key)));

/** Remembers the request for as long as it runs. */
export const whilePending = async <Result>(
  request: Omit<PendingImage, 'at'>,
  run: () => Promise<Result>,
): Promise<Result> => {
  const { key } = request;
  awaited.add(key);
  change((pending) => [...pending, { ...request, at: serverNow() }]);
  // A page that is being left loses its requests, which go on.
  let isLeft = false;
  const leave = (): void => {
    isLeft = true;
  };
  addEventListener('pagehide', leave);
  try {
    return await run();
  } finally {
    removeEventListener('pagehide', leave);
    awaited.delete(key);
    if (!isLeft) removePending([key]);
  }
};

type File = Pick<OutputFile, 'id' | 'prompt' | 'created_at'>;

/** The requests whose image is not among the files. Each file answers one request. */
export const withoutFiles = (
  pending: readonly PendingImage[],
  files: readonly File[],
): readonly PendingImage[] => {
  const taken = new Set<string>();
  return pending.filter(({ prompt, at }) => {
    const file = files.find(
      (each) => !taken.has(each.id) && each.prompt === prompt && each.created_at * 1000 >= at - TOLERANCE_MS,
    );
    if (file !== undefined) taken.add(file.id);
    return file === undefined;
  });
};

/** The images that are being generated, those of an earlier page included. */
export const usePendingImages = (files: readonly File[]): readonly PendingImage[] => {
  const [stored] = usePreference(storageName());
  const [requested, setRequested] = useState(0);
  const now = useNow(POLL_MS);
  const pending = parse(stored);
  const orphans = pending.filter(({ key }) => !awaited.has(key));
  const left = withoutFiles(orphans, files).filter(({ at }) => now - at < MAX_AGE_MS);
  const ended = orphans.filter((orphan) => !left.includes(orphan)).map(({ key }) => key);
  useEffect(() => {
    if (ended.length > 0) removePending(ended);
  }, [ended.join()]);
  useEffect(() => {
    if (left.length === 0) return;
    const timer = setTimeout(() => {
      setRequested(requested + 1);
      void galleryPages.invalidate();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [left.length, requested]);
  return pending.filter(({ key }) => !ended.includes(key));
};
