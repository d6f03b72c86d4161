import type { GivenImage, InputImage } from '../../platform/domain/input-image.ts';
import type { ImageModel } from '../../platform/domain/models.ts';

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

const formatPixels = (aspectRatio: ImageAspectRatio, imageSize: ImageSize): string => {
  const [width, height] = PIXELS_AT_1K[aspectRatio];
  return `${width * FACTORS[imageSize]}x${height * FACTORS[imageSize]}`;
};

type NamedSize = readonly [name: string, config: ImageConfig];

/** Standard sizes of other image models. They are mapped by their ratio; the generated image has slightly different pixels. */
const STANDARD_SIZES: readonly NamedSize[] = [
  ['1536x1024', { aspectRatio: '3:2', imageSize: '1K' }],
  ['1024x1536', { aspectRatio: '2:3', imageSize: '1K' }],
];

/** Values of the field `size`: an aspect ratio, a resolution, or pixels, which stand for both. */
export const NAMED_SIZES: ReadonlyMap<string, ImageConfig> = new Map<string, ImageConfig>([
  ['auto', { aspectRatio: undefined, imageSize: undefined }],
  ...STANDARD_SIZES,
  ...IMAGE_ASPECT_RATIOS.map(
    (aspectRatio): NamedSize => [aspectRatio, { aspectRatio, imageSize: undefined }],
  ),
  ...IMAGE_SIZES.map((imageSize): NamedSize => [imageSize, { aspectRatio: undefined, imageSize }]),
  ...IMAGE_SIZES.flatMap((imageSize) =>
    IMAGE_ASPECT_RATIOS.map(
      (aspectRatio): NamedSize => [formatPixels(aspectRatio, imageSize), { aspectRatio, imageSize }],
    ),
  ),
]);

export type ImageGenerator = {
  generate(request: ImageRequest, options: { readonly timeoutMs: number }): Promise<ImageAnswer>;
};
