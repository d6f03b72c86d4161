import type { GivenImage, InputImage } from '../../platform/domain/input-image.ts';
import type { ImageModel } from '../../platform/domain/models.ts';
import type { Cost } from '../../platform/domain/money.ts';
import { IMAGE_NEEDS, type ImageNeed } from '../../upstream/domain/capabilities.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';
import type { OutputFormat } from './image-conversion.ts';

export const IMAGE_ASPECT_RATIOS = [
  '1:1',
  '1:4',
  '4:1',
  '1:8',
  '8:1',
  '2:3',
  '3:2',
  '3:4',
  '4:3',
  '4:5',
  '5:4',
  '9:16',
  '16:9',
  '21:9',
] as const;
export type ImageAspectRatio = (typeof IMAGE_ASPECT_RATIOS)[number];

export const IMAGE_SIZES = ['512', '1K', '2K', '4K'] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];
/** Made by the upstream, and charged, if the request has no size. */
export const DEFAULT_IMAGE_SIZE: ImageSize = '1K';

/** Limits of a conversation: the upstream accepts fewer images than that, and a long text fits into one part. */
export const MAX_TURNS = 200;
export const MAX_PARTS = 64;

export const MODALITIES = ['TEXT', 'IMAGE'] as const;
export type Modality = (typeof MODALITIES)[number];

export type ImageConfig = {
  readonly aspectRatio: ImageAspectRatio | undefined;
  readonly imageSize: ImageSize | undefined;
};

export type ImagePart<Image = InputImage> = {
  readonly content:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'image'; readonly image: Image };
  /** Set by the upstream on parts of an earlier answer; it expects them back. */
  readonly signature?: string | undefined;
};

type ImageTurn<Image = InputImage> = {
  readonly role: 'user' | 'model';
  readonly parts: readonly ImagePart<Image>[];
};

/** The upstream has defaults for all of these. */
type Sampling = {
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly seed: number | undefined;
};

/** Passed on to the upstream unchanged. */
type SafetySetting = { readonly category: string; readonly threshold: string };

/** A validated request, independent of the API format in which it came. */
export type ImageRequest<Image = InputImage> = {
  readonly model: ImageModel;
  readonly turns: readonly ImageTurn<Image>[];
  readonly systemInstruction: string | undefined;
  readonly safetySettings?: readonly SafetySetting[] | undefined;
  readonly config: ImageConfig;
  readonly modalities: readonly Modality[];
  readonly sampling: Sampling;
};

/** The parts of the request that not all upstreams have. */
export const imageNeeds = (request: ImageRequest<unknown>) => {
  const { turns, systemInstruction, safetySettings, sampling, config } = request;
  const isUsed: Readonly<Record<ImageNeed, boolean>> = {
    conversation: turns.length > 1,
    instruction: systemInstruction !== undefined,
    sampling: Object.values(sampling).some((value) => value !== undefined),
    safety: (safetySettings ?? []).length > 0,
    size512: config.imageSize === '512',
  };
  return { medium: 'image', parts: IMAGE_NEEDS.filter((part) => isUsed[part]) } as const;
};

/** As the client sent it: images can be references to files that have not been read yet. */
export type GivenImageRequest = ImageRequest<GivenImage>;
export type GivenImagePart = ImagePart<GivenImage>;
export type GivenImageTurn = ImageTurn<GivenImage>;

export const textPart = (text: string): ImagePart<never> => ({ content: { kind: 'text', text } });
export const imagePart = <Image>(image: Image): ImagePart<Image> => ({ content: { kind: 'image', image } });

const asksForSomething = ({ content }: GivenImagePart): boolean =>
  content.kind === 'image' || content.text.trim() !== '';

/** False if the user sent neither text nor an image. */
export const holdsPrompt = (turns: readonly GivenImageTurn[]): boolean =>
  turns.some(({ role, parts }) => role === 'user' && parts.some(asksForSomething));

/** Counted by the upstream. */
export type TokenCounts = { readonly prompt: number; readonly output: number; readonly total: number };

export type ImageAnswer =
  | {
      readonly outcome: 'image';
      /** Passed on in Base64 and never decoded. */
      readonly image: { readonly mimeType: string; readonly base64: string };
      readonly text: string;
      readonly cutShort: boolean;
      readonly tokens: TokenCounts;
      /** How many of the prompt's tokens are images; not all upstreams report it. */
      readonly promptImageTokens?: number | undefined;
      /** What the upstream charged for the image, if it says so. */
      readonly cost?: Cost | undefined;
      /** The upstream's whole response, for clients of the native format. */
      readonly document: Readonly<Record<string, unknown>>;
    }
  /** Blocked, or answered with text only. */
  | { readonly outcome: 'no_image'; readonly reason: string };

export type GeneratedImage = Extract<ImageAnswer, { outcome: 'image' }>;

/** Pixels of each aspect ratio at 1K; the other sizes are multiples of them. */
const PIXELS_AT_1K = {
  '1:1': [1024, 1024],
  '1:4': [512, 2048],
  '4:1': [2048, 512],
  '1:8': [384, 3072],
  '8:1': [3072, 384],
  '2:3': [848, 1264],
  '3:2': [1264, 848],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1376],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
} as const satisfies Record<ImageAspectRatio, readonly [width: number, height: number]>;

const FACTORS = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 } as const satisfies Record<ImageSize, number>;

const NAMED_CONFIGS: ReadonlyMap<string, ImageConfig> = new Map<string, ImageConfig>([
  ['auto', { aspectRatio: undefined, imageSize: undefined }],
  ...IMAGE_ASPECT_RATIOS.map((aspectRatio) => [aspectRatio, { aspectRatio, imageSize: undefined }] as const),
  ...IMAGE_SIZES.map((imageSize) => [imageSize, { aspectRatio: undefined, imageSize }] as const),
]);

/** Values of the field `size` besides pixels. */
export const SIZE_NAMES: readonly string[] = [...NAMED_CONFIGS.keys()];

export const PIXELS = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;

/** Sizes of other image models differ slightly from ours: 1792x1024 is 1.6 % from 16:9. */
export const RATIO_TOLERANCE_PERCENT = 3;

/** How far two numbers are apart, as a factor of at least 1. */
const factorBetween = (one: number, other: number): number => Math.max(one / other, other / one);

const nearest = <T>(candidates: readonly T[], distance: (candidate: T) => number): T | undefined =>
  candidates.toSorted((one, other) => distance(one) - distance(other))[0];

const ratioValue = (aspectRatio: ImageAspectRatio): number => {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  return width / height;
};

/** The nearest aspect ratio and resolution; undefined if no ratio is near enough. */
const fromPixels = (width: number, height: number): ImageConfig | undefined => {
  const distance = (aspectRatio: ImageAspectRatio) => factorBetween(ratioValue(aspectRatio), width / height);
  const aspectRatio = nearest(IMAGE_ASPECT_RATIOS, distance);
  if (aspectRatio === undefined || distance(aspectRatio) > 1 + RATIO_TOLERANCE_PERCENT / 100)
    return undefined;
  const [widthAt1K, heightAt1K] = PIXELS_AT_1K[aspectRatio];
  const factor = Math.sqrt((width * height) / (widthAt1K * heightAt1K));
  return { aspectRatio, imageSize: nearest(IMAGE_SIZES, (size) => factorBetween(FACTORS[size], factor)) };
};

/** Reads the field `size`: an aspect ratio, a resolution, or pixels, which stand for both. */
export const readImageSize = (size: string): ImageConfig | undefined => {
  const [, width, height] = PIXELS.exec(size) ?? [];
  return width === undefined || height === undefined
    ? NAMED_CONFIGS.get(size)
    : fromPixels(Number(width), Number(height));
};

/** Pixels such as `1376x768`, for upstreams that have no ratios; undefined if the client leaves both open. */
export const imagePixels = ({ aspectRatio, imageSize }: ImageConfig): string | undefined => {
  if (aspectRatio === undefined && imageSize === undefined) return undefined;
  const [width, height] = PIXELS_AT_1K[aspectRatio ?? '1:1'];
  const factor = FACTORS[imageSize ?? DEFAULT_IMAGE_SIZE];
  return `${width * factor}x${height * factor}`;
};

/** The resolution that is charged. */
export const chargedSize = ({ config }: ImageRequest): ImageSize => config.imageSize ?? DEFAULT_IMAGE_SIZE;

export const MAX_SEED = 2 ** 31 - 1;

/** Images of one request differ: each has the next seed, if there is one. */
export const withVariation = (request: ImageRequest, index: number): ImageRequest => {
  const { seed } = request.sampling;
  if (seed === undefined || index === 0) return request;
  const next = seed + index;
  return {
    ...request,
    sampling: { ...request.sampling, seed: next > MAX_SEED ? next - MAX_SEED - 1 : next },
  };
};

export const MAX_IMAGES = 10;

/** A response may have 200 MB. An image at 4K takes up to 25 MB of it, and up to 76 MB as PNG. */
export const maxImages = (size: ImageSize, format?: OutputFormat): number => {
  if (size !== '4K') return MAX_IMAGES;
  return format === 'png' ? 2 : 4;
};

type GenerateOptions = { readonly timeoutMs: number };

export type ImageGenerator = {
  generate(request: ImageRequest, options: GenerateOptions): Promise<ImageAnswer>;
};

/** The generators of all upstreams: each call names the one that it is for. */
export type ImageGenerators = {
  generate(
    request: ImageRequest,
    options: GenerateOptions,
    upstream: UpstreamReference,
  ): Promise<ImageAnswer>;
};
