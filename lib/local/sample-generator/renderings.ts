import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFolders } from './cache-folders.ts';
import type { ImageOrder } from './image-order.ts';
import type { PictureStore } from './pictures.ts';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';
import { type RenderQueue, THREADS } from './render-queue.ts';
import type { VideoOrder } from './video-order.ts';

/** Raise it when the renderer changes: clips of older versions are then made anew. */
const RENDERER_VERSION = 1;

type Failure = Exclude<RenderOutcome, { outcome: 'rendered' }>;
export type Rendering = Failure | { readonly outcome: 'rendered'; readonly path: string };

export type Renderings = {
  video(order: VideoOrder, sample: number): Promise<Rendering>;
  image(order: ImageOrder, draft: number): Promise<Rendering>;
};

type Workplace = { readonly folder: string; readonly output: string };

const label = (order: VideoOrder | ImageOrder, seed: number, more = '') =>
  `${order.model} · ${order.width}×${order.height}${more} · seed ${seed}`;

/** Everything that shows: test directives and the number of samples do not. */
const identity = (order: VideoOrder | ImageOrder) => ({ ...order, wishes: null, samples: null });

const canvas = (order: VideoOrder | ImageOrder, seed: number) => ({
  width: order.width,
  height: order.height,
  prompt: order.prompt,
  seed,
  threads: THREADS,
});

/** The same request is rendered once: while it runs, whoever asks joins in; afterwards the file is there. */
export const renderings = (folders: CacheFolders, pictures: PictureStore, queue: RenderQueue): Renderings => {
  const running = new Map<string, Promise<Rendering>>();

  const render = async (path: string, job: (place: Workplace) => RenderJob): Promise<Rendering> => {
    const folder = await mkdtemp(join(folders.jobs, 'job-'));
    try {
      const output = join(folder, 'output');
      const result = await queue.run(job({ folder, output }));
      if (result.outcome !== 'rendered') return result;
      await rename(output, path);
      return { outcome: 'rendered', path };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  const cached = async (extension: string, shown: object, job: (place: Workplace) => RenderJob) => {
    const key = createHash('sha256')
      .update(JSON.stringify([RENDERER_VERSION, shown]))
      .digest('hex');
    const path = join(folders.clips, `${key}.${extension}`);
    // What is used stays young, so that the clearing of old files leaves it alone.
    const present = await utimes(path, new Date(), new Date()).then(
      () => true,
      () => false,
    );
    if (present) return { outcome: 'rendered', path } as const;
    const rendering = running.get(key) ?? render(path, job).finally(() => running.delete(key));
    running.set(key, rendering);
    return rendering;
  };

  return {
    video: (order, sample) => {
      const seed = order.seed + sample;
      return cached('mp4', { ...identity(order), seed }, (place) => ({
        ...canvas(order, seed),
        ...place,
        kind: 'video',
        label: label(order, seed, ` · ${order.seconds} s`),
        seconds: order.seconds,
        ...(order.first && { first: pictures.open(order.first) }),
        ...(order.last && { last: pictures.open(order.last) }),
        references: order.references.map(pictures.open),
      }));
    },
    image: (order, draft) => {
      const seed = order.seed + draft;
      return cached('jpg', { ...identity(order), seed }, (place) => ({
        ...canvas(order, seed),
        ...place,
        kind: 'image',
        label: label(order, seed),
        references: order.references.map(pictures.open),
      }));
    },
  };
};
