import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type CacheFolders, prepareCache, removeOldFiles } from './cache-folders.ts';
import type { ImageSpec } from './image-request.ts';
import { type PictureStore, pictureStore } from './pictures.ts';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';
import { type RenderQueue, renderQueue, THREADS } from './render-queue.ts';
import type { VideoSpec } from './video-request.ts';

/** Increase it when the renderer changes, so that cached clips are rendered again. */
const RENDERER_VERSION = 2;

type Failure = Exclude<RenderOutcome, { outcome: 'rendered' }>;
export type RenderResult = Failure | { readonly outcome: 'rendered'; readonly path: string };

export type RenderCache = {
  video(spec: VideoSpec, sample: number): Promise<RenderResult>;
  image(spec: ImageSpec, draft: number): Promise<RenderResult>;
};

type Workplace = { readonly folder: string; readonly output: string };

const label = (spec: VideoSpec | ImageSpec, seed: number, more = '') =>
  `${spec.model} · ${spec.width}×${spec.height}${more} · seed ${seed}`;

/** Test prompts and the number of samples do not affect the picture. */
const identity = (spec: VideoSpec | ImageSpec) => ({ ...spec, testPrompts: null, samples: null });

const canvas = (spec: VideoSpec | ImageSpec, seed: number) => ({
  width: spec.width,
  height: spec.height,
  prompt: spec.prompt,
  seed,
  threads: THREADS,
});

/** The frame rate is that of the upstream's videos. */
const FULL_QUALITY = {
  framesPerSecond: 24,
  rateFactor: 19,
  sound: { sampleRate: 48_000, silent: false },
} as const;

/** A fraction of the work and the bytes, in a real file with the same codecs, size and duration. */
const DRAFT_QUALITY = {
  framesPerSecond: 1,
  rateFactor: 30,
  sound: { sampleRate: 8000, silent: true },
} as const;

/** One text and one seed for all requests. */
const withFixedText = <Spec extends VideoSpec | ImageSpec>(spec: Spec): Spec => ({
  ...spec,
  model: 'sample',
  prompt: 'The same picture for every prompt',
  seed: 0,
});

/**
 * Renders each request once: concurrent callers share the rendering, later ones the file. With `drafts`, requests that
 * differ only in model, prompt and seed share one clip, which has fewer frames and no sound.
 */
export const renderCache = (
  folders: CacheFolders,
  pictures: PictureStore,
  queue: RenderQueue,
  drafts = false,
): RenderCache => {
  const normalize = drafts ? withFixedText : <Spec>(spec: Spec) => spec;
  const running = new Map<string, Promise<RenderResult>>();

  const render = async (path: string, job: (place: Workplace) => RenderJob): Promise<RenderResult> => {
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
    // Files in use are kept young, so that they are not removed as old.
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
    video: (requested, sample) => {
      const spec = normalize(requested);
      const seed = spec.seed + sample;
      return cached('mp4', { ...identity(spec), seed }, (place) => ({
        ...canvas(spec, seed),
        ...place,
        kind: 'video',
        label: label(spec, seed, ` · ${spec.seconds} s`),
        seconds: spec.seconds,
        ...(drafts ? DRAFT_QUALITY : FULL_QUALITY),
        ...(spec.first && { first: pictures.open(spec.first) }),
        ...(spec.last && { last: pictures.open(spec.last) }),
        references: spec.references.map(pictures.open),
      }));
    },
    image: (requested, draft) => {
      const spec = normalize(requested);
      const seed = spec.seed + draft;
      return cached('jpg', { ...identity(spec), seed }, (place) => ({
        ...canvas(spec, seed),
        ...place,
        kind: 'image',
        label: label(spec, seed),
        references: spec.references.map(pictures.open),
      }));
    },
  };
};

export type StudioOptions = {
  readonly cacheDir: string;
  /** For tests, which render less: few frames, silence, and the same picture for all prompts, models and seeds. */
  readonly drafts?: boolean;
};

/** Renders media; several upstreams can share it. */
export type Studio = {
  readonly folders: CacheFolders;
  readonly pictures: PictureStore;
  readonly renderCache: RenderCache;
  close(): void;
};

const CLEANUP_MILLISECONDS = 3600 * 1000;

export const openStudio = async ({ cacheDir, drafts }: StudioOptions): Promise<Studio> => {
  const folders = await prepareCache(cacheDir);
  await removeOldFiles(folders);
  const cleanup = setInterval(() => removeOldFiles(folders).catch(() => {}), CLEANUP_MILLISECONDS).unref();
  const queue = renderQueue({ trustsPictures: drafts });
  const pictures = pictureStore(folders.pictures);
  return {
    folders,
    pictures,
    renderCache: renderCache(folders, pictures, queue, drafts),
    close: () => {
      clearInterval(cleanup);
      queue.close();
    },
  };
};
