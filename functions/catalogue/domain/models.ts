import { onceFor } from '../../platform/domain/once-for.ts';
import { joinWords } from '../../platform/domain/text.ts';

/** The catalogue of models. Everything that differs between video models is a field of their entries. */

/** The inputs of a video beside the prompt. */
export const VIDEO_MODES = ['text', 'first_frame', 'first_and_last_frame', 'references'] as const;
export type VideoMode = (typeof VIDEO_MODES)[number];

type Entry<Lines extends string = string, Ratio extends string = string> = {
  readonly label: string;
  readonly modes: readonly VideoMode[];
  /** Whole seconds, in ascending order. */
  readonly seconds: readonly number[];
  readonly resolutions: readonly Lines[];
  readonly aspectRatios: readonly Ratio[];
  readonly defaults: { readonly seconds: number; readonly resolution: Lines; readonly aspectRatio: Ratio };
  /** Requests that can have only some of the durations, by resolution or mode. The first rule that applies decides. */
  readonly secondsRules: readonly ({ readonly seconds: readonly number[] } & (
    | { readonly resolution: Lines }
    | { readonly mode: VideoMode }
  ))[];
  readonly recommendedSeconds: Readonly<Partial<Record<VideoMode, number>>>;
  readonly maxReferences: number;
  readonly seed: boolean;
  /** The modes in which a request can have a negative prompt. */
  readonly negativePrompt: readonly VideoMode[];
  /** Whether the specification does not have the model, so that many deployments do without it. */
  readonly isExtra: boolean;
  /** USD per second: the sample price of `npm start`. */
  readonly listPrice: string;
};

/** The specification's table "Video model capabilities": "Both support the same options." */
const VIDEO_3_1 = {
  modes: VIDEO_MODES,
  seconds: [4, 6, 8],
  resolutions: ['720p', '1080p', '4k'],
  aspectRatios: ['16:9', '9:16'],
  defaults: { seconds: 8, resolution: '720p', aspectRatio: '16:9' },
  secondsRules: [
    // "1080p and 4k require 8 seconds."
    { resolution: '1080p', seconds: [8] },
    { resolution: '4k', seconds: [8] },
    // "Reference images: at most 3, duration 8 seconds."
    { mode: 'references', seconds: [8] },
  ],
  // "First-and-last-frame requests should use 8 seconds": some upstreams reject others.
  recommendedSeconds: { first_and_last_frame: 8 },
  maxReferences: 3,
  seed: true,
  // "Must not be sent with reference images."
  negativePrompt: ['text', 'first_frame', 'first_and_last_frame'],
  isExtra: false,
} as const;

/** Gemini Omni, which Google offers in place of Veo. 1080p and 4k are upscaled. */
const VIDEO_OMNI = {
  modes: VIDEO_MODES,
  seconds: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  resolutions: ['360p', '720p', '1080p', '4k'],
  aspectRatios: ['16:9', '9:16'],
  defaults: { seconds: 8, resolution: '720p', aspectRatio: '16:9' },
  secondsRules: [{ mode: 'first_and_last_frame', seconds: [3, 4, 5, 6, 7, 8, 9, 10] }],
  recommendedSeconds: {},
  maxReferences: 6,
  seed: false,
  negativePrompt: [],
  isExtra: true,
} as const;

export const VIDEO_CATALOGUE = {
  'video-3.1-generate-preview': { ...VIDEO_3_1, label: 'Video 3.1', listPrice: '0.40' },
  'video-3.1-fast-generate-preview': { ...VIDEO_3_1, label: 'Video 3.1 Fast', listPrice: '0.15' },
  'video-omni-1.2-flash': { ...VIDEO_OMNI, label: 'Video Omni 1.2 Flash', listPrice: '0.07' },
} as const satisfies Readonly<Record<string, Entry>>;

export type VideoModel = keyof typeof VIDEO_CATALOGUE;
export type Resolution = (typeof VIDEO_CATALOGUE)[VideoModel]['resolutions'][number];
export type AspectRatio = (typeof VIDEO_CATALOGUE)[VideoModel]['aspectRatios'][number];
export type VideoModelEntry = Entry<Resolution, AspectRatio>;

export type VideoCapabilities = Pick<
  VideoModelEntry,
  'modes' | 'seconds' | 'resolutions' | 'aspectRatios' | 'seed'
> & {
  readonly negativePrompt: boolean;
  /** With a first and a last frame; all of `seconds` if absent. */
  readonly lastFrameSeconds?: readonly number[] | undefined;
};

const isVideoModel = (name: string): name is VideoModel => Object.hasOwn(VIDEO_CATALOGUE, name);
export const VIDEO_MODELS: readonly VideoModel[] = Object.keys(VIDEO_CATALOGUE).filter(isVideoModel);

export const videoModelEntry = (model: VideoModel): VideoModelEntry => VIDEO_CATALOGUE[model];

export const IMAGE_MODEL = 'image-3.1-flash-image-preview';
export type ImageModel = typeof IMAGE_MODEL;

export const MODELS: readonly (VideoModel | ImageModel)[] = [...VIDEO_MODELS, IMAGE_MODEL];

const distinct = <Value>(lists: readonly (readonly Value[])[]): readonly Value[] => [
  ...new Set(lists.flat()),
];
/** The shorter side of a video: `720p` has 720 lines, and `4k` 2160. */
const shorterSide = (resolution: Resolution): number =>
  resolution.endsWith('k') ? Number.parseInt(resolution, 10) * 540 : Number.parseInt(resolution, 10);

/** What at least one of the models accepts, with the defaults of the first; no request is checked with it. */
export const combineEntries = ([first, ...others]: readonly VideoModelEntry[]): VideoModelEntry => {
  if (first === undefined) throw new Error('there is no video model');
  const all = [first, ...others];
  return {
    ...first,
    seconds: distinct(all.map(({ seconds }) => seconds)).toSorted((one, other) => one - other),
    resolutions: distinct(all.map(({ resolutions }) => resolutions)).toSorted(
      (one, other) => shorterSide(one) - shorterSide(other),
    ),
    aspectRatios: distinct(all.map(({ aspectRatios }) => aspectRatios)),
    maxReferences: Math.max(...all.map(({ maxReferences }) => maxReferences)),
  };
};

/** The values that requests of any model can have. */
export const ANY_VIDEO_MODEL = combineEntries(VIDEO_MODELS.map(videoModelEntry));
export const { seconds: DURATIONS, resolutions: RESOLUTIONS, aspectRatios: ASPECT_RATIOS } = ANY_VIDEO_MODEL;

const toPixelSize = (resolution: Resolution, aspectRatio: AspectRatio): string => {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  const unit = shorterSide(resolution) / Math.min(width, height);
  return `${width * unit}x${height * unit}`;
};

const PIXEL_SIZES: ReadonlyMap<string, string> = new Map(
  RESOLUTIONS.flatMap((resolution) =>
    ASPECT_RATIOS.map((ratio) => [resolution + ratio, toPixelSize(resolution, ratio)]),
  ),
);

/** Width and height, such as `1280x720`. */
export const pixelSize = (resolution: Resolution, aspectRatio: AspectRatio): string =>
  PIXEL_SIZES.get(resolution + aspectRatio) ?? toPixelSize(resolution, aspectRatio);

export type VideoFormat = { readonly resolution: Resolution; readonly aspectRatio: AspectRatio };
type Formats = Pick<VideoModelEntry, 'resolutions' | 'aspectRatios'>;

export const pixelSizes = onceFor(
  ({ resolutions, aspectRatios }: Formats): ReadonlyMap<string, VideoFormat> =>
    new Map(
      resolutions.flatMap((resolution) =>
        aspectRatios.map((aspectRatio) => [pixelSize(resolution, aspectRatio), { resolution, aspectRatio }]),
      ),
    ),
);

/** Completes "A video with …". */
export const MODE_NAMES: Readonly<Record<VideoMode, string>> = {
  text: 'text alone',
  first_frame: 'a first frame',
  first_and_last_frame: 'a first and a last frame',
  references: 'reference images',
};

/** The durations that a request can have, and the reason if they are not all of the model. */
export const allowedSeconds = (
  { seconds, secondsRules }: Pick<VideoModelEntry, 'seconds' | 'secondsRules'>,
  resolution: Resolution,
  mode: VideoMode,
): { readonly seconds: readonly number[]; readonly reason?: string } => {
  const rule = secondsRules.find((each) =>
    'mode' in each ? each.mode === mode : each.resolution === resolution,
  );
  if (rule === undefined) return { seconds };
  const reason = 'mode' in rule ? `A request with ${MODE_NAMES[rule.mode]}` : `Resolution ${rule.resolution}`;
  return { seconds: rule.seconds, reason };
};

/** The durations of each mode that is offered, at the lowest resolution. */
export const secondsByMode = (
  { modes, seconds, lastFrameSeconds }: Pick<VideoCapabilities, 'modes' | 'seconds' | 'lastFrameSeconds'>,
  { secondsRules }: Pick<VideoModelEntry, 'secondsRules'>,
): Partial<Record<VideoMode, number[]>> =>
  Object.fromEntries(
    modes.map((mode) => {
      const rule = secondsRules.find((each) => 'mode' in each && each.mode === mode);
      const offered = mode === 'first_and_last_frame' ? (lastFrameSeconds ?? seconds) : seconds;
      return [
        mode,
        seconds.filter((each) => offered.includes(each) && (rule?.seconds ?? seconds).includes(each)),
      ];
    }),
  );

/** `4, 6, 8`, `4, 6 or 8`, or `3 to 15` if there is no gap. */
export const describeSeconds = (seconds: readonly number[], conjunction?: 'or'): string => {
  const [first = 0] = seconds;
  const isRange = seconds.length > 3 && seconds.every((value, index) => value === first + index);
  if (isRange) return `${first} to ${seconds.at(-1)}`;
  return conjunction === undefined ? seconds.join(', ') : joinWords(seconds, conjunction);
};

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** At any setting; see `largestImage`. */
export const MAX_IMAGE_BYTES = 20_000_000;
export const MAX_IMAGE_SIDE = 8192;
export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_SEED = 4_294_967_295;

const MEGABYTE = 1_000_000;
/** Requests that the upstream accepts unless configured otherwise, with images in Base64. */
export const DEFAULT_REQUEST_MEGABYTES = 20;
/** For a prompt and a negative prompt whose characters JSON writes as six bytes each, and the JSON around them. */
const TEXT_BYTES = 2 * 6 * MAX_PROMPT_CHARACTERS + 2000;
const BYTES_PER_STEP = 100_000;

/** How many bytes the images of a request may have together: Base64 writes three bytes as four. */
export const maxImageBytes = (requestMegabytes: number): number =>
  Math.floor(((requestMegabytes * MEGABYTE - TEXT_BYTES) * 3) / 4 / BYTES_PER_STEP) * BYTES_PER_STEP;

/** An image that is larger fits into no request. */
export const largestImage = (requestMegabytes = DEFAULT_REQUEST_MEGABYTES): number =>
  Math.min(MAX_IMAGE_BYTES, maxImageBytes(requestMegabytes));
