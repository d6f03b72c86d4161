import type { GivenImage, InputImage } from '../../platform/domain/input-image.ts';
import type { ImageModel } from '../../platform/domain/models.ts';

/** What can be asked of the image model, the contract's tables as data, and what it answers. */

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
/** What the upstream makes, and so what is billed, where no size is asked for. */
export const DEFAULT_IMAGE_SIZE: ImageSize = '1K';

/** How long a conversation may be: the generator takes fewer images than that, and a longer text fits into one part. */
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
  /** What the upstream put on a part of an earlier answer, and wants to see again on it. */
  readonly signature?: string | undefined;
};

export type ImageTurn<Image = InputImage> = {
  readonly role: 'user' | 'model';
  readonly parts: readonly ImagePart<Image>[];
};

/** How the model is to work; the upstream has defaults for all of it. */
type Sampling = {
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly seed: number | undefined;
};

/** What the upstream is to block, in its own words. */
export type SafetySetting = { readonly category: string; readonly threshold: string };

/** A checked request for an image; nothing after it knows in which format it came. */
export type ImageRequest<Image = InputImage> = {
  readonly model: ImageModel;
  readonly turns: readonly ImageTurn<Image>[];
  readonly systemInstruction: string | undefined;
  readonly safetySettings?: readonly SafetySetting[] | undefined;
  readonly config: ImageConfig;
  readonly modalities: readonly Modality[];
  readonly sampling: Sampling;
};

/** As a client sends it: its images may be files that have yet to be read. */
export type GivenImageRequest = ImageRequest<GivenImage>;
export type GivenImagePart = ImagePart<GivenImage>;
export type GivenImageTurn = ImageTurn<GivenImage>;

export const textPart = (text: string): ImagePart<never> => ({ content: { kind: 'text', text } });
export const imagePart = <Image>(image: Image): ImagePart<Image> => ({ content: { kind: 'image', image } });

const asksForSomething = ({ content }: GivenImagePart): boolean =>
  content.kind === 'image' || content.text.trim() !== '';

/** False when there is nothing that an image could be made from. */
export const holdsPrompt = (turns: readonly GivenImageTurn[]): boolean =>
  turns.some(({ role, parts }) => role === 'user' && parts.some(asksForSomething));

/** What the upstream counted. */
export type TokenCounts = { readonly prompt: number; readonly output: number; readonly total: number };

export type ImageAnswer =
  | {
      readonly outcome: 'image';
      /** The image as the upstream sent it: it is passed on in Base64, so it is never decoded. */
      readonly image: { readonly mimeType: string; readonly base64: string };
      readonly text: string;
      readonly cutShort: boolean;
      readonly tokens: TokenCounts;
      /** How many tokens of the prompt are images, where the upstream tells. */
      readonly promptImageTokens?: number | undefined;
      /** The upstream's whole answer, for clients of its own format. */
      readonly document: Readonly<Record<string, unknown>>;
    }
  /** Blocked, or answered in words alone. */
  | { readonly outcome: 'no_image'; readonly reason: string };

export type GeneratedImage = Extract<ImageAnswer, { outcome: 'image' }>;

/** Pixels of each aspect ratio at 1K, as the upstream makes them; the other sizes are multiples of it. */
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

const pixelsOf = (aspectRatio: ImageAspectRatio, imageSize: ImageSize): string => {
  const [width, height] = PIXELS_AT_1K[aspectRatio];
  return `${width * FACTORS[imageSize]}x${height * FACTORS[imageSize]}`;
};

type NamedSize = readonly [name: string, config: ImageConfig];

/** The standard sizes of other image models, by their ratio: these are not quite the pixels that are made. */
const STANDARD: readonly NamedSize[] = [
  ['1536x1024', { aspectRatio: '3:2', imageSize: '1K' }],
  ['1024x1536', { aspectRatio: '2:3', imageSize: '1K' }],
];

/** What one word can say of an image's size: a ratio, a resolution, or the pixels of both. */
export const NAMED_SIZES: ReadonlyMap<string, ImageConfig> = new Map<string, ImageConfig>([
  ['auto', { aspectRatio: undefined, imageSize: undefined }],
  ...STANDARD,
  ...IMAGE_ASPECT_RATIOS.map(
    (aspectRatio): NamedSize => [aspectRatio, { aspectRatio, imageSize: undefined }],
  ),
  ...IMAGE_SIZES.map((imageSize): NamedSize => [imageSize, { aspectRatio: undefined, imageSize }]),
  ...IMAGE_SIZES.flatMap((imageSize) =>
    IMAGE_ASPECT_RATIOS.map(
      (aspectRatio): NamedSize => [pixelsOf(aspectRatio, imageSize), { aspectRatio, imageSize }],
    ),
  ),
]);

/** A generator that answers with the image itself. */
export type ImageGenerator = {
  generate(request: ImageRequest, options: { readonly timeoutMs: number }): Promise<ImageAnswer>;
};
