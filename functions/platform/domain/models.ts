/** The catalogue of models: the specification's tables "Video model capabilities" and "Image generation". */

export const VIDEO_MODELS = ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const;
export type VideoModel = (typeof VIDEO_MODELS)[number];

export const IMAGE_MODEL = 'image-3.1-flash-image-preview';
export type ImageModel = typeof IMAGE_MODEL;

export const MODELS = [...VIDEO_MODELS, IMAGE_MODEL] as const;

/** The inputs of a video beside the prompt. */
export const VIDEO_MODES = ['text', 'first_frame', 'first_and_last_frame', 'references'] as const;
export type VideoMode = (typeof VIDEO_MODES)[number];

export const DURATIONS = [4, 6, 8] as const;
export type Duration = (typeof DURATIONS)[number];
export const DEFAULT_DURATION: Duration = 8;

export const RESOLUTIONS = ['720p', '1080p', '4k'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
export const DEFAULT_RESOLUTION: Resolution = '720p';

export const ASPECT_RATIOS = ['16:9', '9:16'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];
export const DEFAULT_ASPECT_RATIO: AspectRatio = '16:9';

export const PIXEL_SIZES = {
  '1280x720': { resolution: '720p', aspectRatio: '16:9' },
  '720x1280': { resolution: '720p', aspectRatio: '9:16' },
  '1920x1080': { resolution: '1080p', aspectRatio: '16:9' },
  '1080x1920': { resolution: '1080p', aspectRatio: '9:16' },
  '3840x2160': { resolution: '4k', aspectRatio: '16:9' },
  '2160x3840': { resolution: '4k', aspectRatio: '9:16' },
} as const satisfies Record<string, { resolution: Resolution; aspectRatio: AspectRatio }>;
export type PixelSize = keyof typeof PIXEL_SIZES;

const SIZES_BY_RESOLUTION = {
  '720p': { '16:9': '1280x720', '9:16': '720x1280' },
  '1080p': { '16:9': '1920x1080', '9:16': '1080x1920' },
  '4k': { '16:9': '3840x2160', '9:16': '2160x3840' },
} as const satisfies Record<Resolution, Record<AspectRatio, PixelSize>>;

export const pixelSize = (resolution: Resolution, aspectRatio: AspectRatio): PixelSize =>
  SIZES_BY_RESOLUTION[resolution][aspectRatio];

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export const MAX_REFERENCE_IMAGES = 3;
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
export const imageRoom = (requestMegabytes: number): number =>
  Math.floor(((requestMegabytes * MEGABYTE - TEXT_BYTES) * 3) / 4 / BYTES_PER_STEP) * BYTES_PER_STEP;

/** An image that is larger fits into no request. */
export const largestImage = (requestMegabytes = DEFAULT_REQUEST_MEGABYTES): number =>
  Math.min(MAX_IMAGE_BYTES, imageRoom(requestMegabytes));

/** Such as `14.7 MB`. Rounded up, so that a size above a limit never reads like the limit. */
export const formatMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / BYTES_PER_STEP) / (MEGABYTE / BYTES_PER_STEP)} MB`;

/** Narrows a value to the entries of a table. */
export const isOneOf = <const T extends readonly unknown[]>(table: T, value: unknown): value is T[number] =>
  table.includes(value);
