import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageSpec } from './image-request.ts';
import { type PictureStore, pictureStore, writeAtomically } from './pictures.ts';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';
import { type RenderQueue, renderQueue, THREADS } from './render-queue.ts';
import type { VideoSpec } from './video-request.ts';

const MAX_AGE_MILLISECONDS = 2 * 24 * 3600 * 1000;
const TYPEFACES = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
];

export type CacheFolders = {
  readonly pictures: string;
  readonly clips: string;
  readonly jobs: string;
  readonly operations: string;
};

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

export const prepareCache = async (root: string): Promise<CacheFolders> => {
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
  const quality = drafts ? DRAFT_QUALITY : FULL_QUALITY;
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
        ...quality,
        sound: spec.isSilent === true ? undefined : quality.sound,
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
