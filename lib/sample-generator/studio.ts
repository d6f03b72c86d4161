import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageSpec, VideoSpec } from './media-spec.ts';
import { type PictureStore, pictureStore, writeAtomically } from './pictures.ts';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';
import { type RenderQueue, renderQueue, THREADS } from './render-queue.ts';

const MAX_AGE_MILLISECONDS = 2 * 24 * 3600 * 1000;
const TYPEFACES = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
];

const isOld = async (path: string) => {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > MAX_AGE_MILLISECONDS;
};

/** Like the upstream, keeps files for two days. */
const removeOldFiles = async (folders: CacheFolders) => {
  for (const folder of Object.values(folders)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (await isOld(path)) await rm(path, { recursive: true, force: true });
    }
  }
};

export const prepareCache = async (cacheDir: string) => {
  // The renderer works in the folder of its job.
  const root = resolve(cacheDir);
  const folders = {
    pictures: join(root, 'pictures'),
    clips: join(root, 'clips'),
    jobs: join(root, 'jobs'),
    operations: join(root, 'operations'),
  };
  const fonts = join(root, 'fonts');
  for (const folder of [fonts, ...Object.values(folders)]) await mkdir(folder, { recursive: true });
  for (const typeface of TYPEFACES) {
    // Written atomically, since another generator may use the same folder.
    const bytes = await readFile(fileURLToPath(import.meta.resolve(typeface)));
    await writeAtomically(join(fonts, basename(typeface)), bytes);
  }
  return folders;
};

export type CacheFolders = Awaited<ReturnType<typeof prepareCache>>;

/** Increase it when the renderer changes, so that cached clips are rendered again. */
const RENDERER_VERSION = 3;

type Failure = Exclude<RenderOutcome, { outcome: 'rendered' }>;
export type RenderResult = Failure | { readonly outcome: 'rendered'; readonly path: string };

type MediaSpec = VideoSpec | ImageSpec;

/** Renders what the specification asks for; each number gives another video or image. */
export type RenderCache = (spec: MediaSpec, number: number) => Promise<RenderResult>;

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
const withFixedText = (spec: MediaSpec): MediaSpec => ({
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
  const quality = drafts ? DRAFT_QUALITY : FULL_QUALITY;
  const running = new Map<string, Promise<RenderResult>>();

  const toJob = (spec: MediaSpec, folder: string): RenderJob => {
    const { width, height, prompt, seed } = spec;
    const references = spec.references.map(pictures.open);
    const canvas = { width, height, prompt, seed, references, threads: THREADS, folder };
    const output = join(folder, 'output');
    const label = (more = '') => `${spec.model} · ${width}×${height}${more} · seed ${seed}`;
    if (!('seconds' in spec)) return { kind: 'image', ...canvas, output, label: label() };
    return {
      kind: 'video',
      ...canvas,
      output,
      label: label(` · ${spec.seconds} s`),
      seconds: spec.seconds,
      ...quality,
      sound: spec.isSilent === true ? undefined : quality.sound,
      ...(spec.first && { first: pictures.open(spec.first) }),
      ...(spec.last && { last: pictures.open(spec.last) }),
    };
  };

  const render = async (spec: MediaSpec, path: string): Promise<RenderResult> => {
    const folder = await mkdtemp(join(folders.jobs, 'job-'));
    try {
      const job = toJob(spec, folder);
      const result = await queue.run(job);
      if (result.outcome !== 'rendered') return result;
      await rename(job.output, path);
      return { outcome: 'rendered', path };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return async (requested, number) => {
    const normalized = drafts ? withFixedText(requested) : requested;
    const spec = { ...normalized, seed: normalized.seed + number };
    // Test prompts and the number of samples do not affect the picture, nor does the order of the fields.
    const shown = Object.entries({ ...spec, testPrompts: null, samples: null }).toSorted();
    const key = createHash('sha256')
      .update(JSON.stringify([RENDERER_VERSION, shown]))
      .digest('hex');
    const path = join(folders.clips, `${key}.${'seconds' in spec ? 'mp4' : 'jpg'}`);
    try {
      // Files in use are kept young, so that they are not removed as old.
      utimesSync(path, new Date(), new Date());
      return { outcome: 'rendered', path };
    } catch {
      const rendering = running.get(key) ?? render(spec, path).finally(() => running.delete(key));
      running.set(key, rendering);
      return rendering;
    }
  };
};

export type StudioOptions = {
  readonly cacheDir: string;
  /** For tests, which render less: few frames, silence, and the same picture for all prompts, models and seeds. */
  readonly drafts?: boolean;
};

const CLEANUP_MILLISECONDS = 3600 * 1000;

/** Renders media; several upstreams can share it. */
export const openStudio = async ({ cacheDir, drafts }: StudioOptions) => {
  const folders = await prepareCache(cacheDir);
  await removeOldFiles(folders);
  const cleanup = setInterval(() => removeOldFiles(folders).catch(() => {}), CLEANUP_MILLISECONDS).unref();
  const queue = renderQueue(drafts);
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

export type Studio = Awaited<ReturnType<typeof openStudio>>;
