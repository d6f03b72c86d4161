import { useRef } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { withRetries } from '../api/errors.ts';
import { useMutation } from '../api/hooks.ts';
import { withImages } from '../api/image-files.ts';
import { refreshSession } from '../api/session.ts';
import { createVideo, recentVideos, videoPages, videos } from '../api/videos.ts';
import { fileFields, toFormData, type VideoFiles, type VideoForm, variationSeeds } from './video-form.ts';

type Input = { readonly form: VideoForm; readonly files: VideoFiles };

/** One request; repeating it with its key returns the same task. */
type Order = { readonly seed: string; readonly key: string };

const newOrders = (form: VideoForm): readonly Order[] => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return variationSeeds(form, random).map((seed) => ({ seed, key: crypto.randomUUID() }));
};

const remember = (video: VideoObject): void => {
  videos.entry(video.id).set(video);
  void recentVideos.invalidate();
  void videoPages.invalidate();
  // Its budget has changed.
  refreshSession();
};

/** Reports each created video, then fails if one of them failed. */
const createAll = async (
  orders: readonly Order[],
  create: (order: Order) => Promise<VideoObject>,
  onCreated: (id: string) => void,
): Promise<void> => {
  const results = await Promise.allSettled(orders.map(create));
  const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const video of created) remember(video);
  const [first] = created;
  if (first !== undefined) onCreated(first.id);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/**
 * Repeating an unchanged form reuses its idempotency keys, so that neither a lost response nor the failure of another
 * variation causes a second video.
 */
export const useCreateVideos = (onCreated: (id: string) => void) => {
  const last = useRef<(Input & { readonly orders: readonly Order[] }) | undefined>(undefined);
  return useMutation(async ({ form, files }: Input) => {
    if (last.current?.form !== form || last.current.files !== files)
      last.current = { form, files, orders: newOrders(form) };
    const { orders } = last.current;
    const fields = fileFields(form, files);
    // Images that are too large for a request are uploaded once for all variations.
    await withImages(
      fields.map(([, file]) => file),
      (images) => {
        const named = images.map((image, index) => [fields[index]?.[0] ?? '', image] as const);
        const create = ({ seed, key }: Order) =>
          withRetries(() => createVideo(toFormData({ ...form, seed }, named), key));
        return createAll(orders, create, onCreated);
      },
    );
    last.current = undefined;
  });
};
