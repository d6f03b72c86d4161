import type { TokenCounts } from '../../billing/domain/charges.ts';
import type { OutputFormat } from '../../catalogue/domain/image-conversion.ts';
import { DEFAULT_IMAGE_SIZE, type ImageConfig, type ImageSize } from '../../catalogue/domain/image-sizes.ts';
import type { GivenImage, InputImage } from '../../catalogue/domain/input-image.ts';
import type { ImageModel } from '../../catalogue/domain/models.ts';
import type { Cost } from '../../platform/domain/money.ts';
import { IMAGE_NEEDS, type ImageNeed } from './needs.ts';
import type { ForUpstreams } from './upstreams.ts';

/** Limits of a conversation: the upstream accepts fewer images than that, and a long text fits into one part. */
export const MAX_TURNS = 200;
export const MAX_PARTS = 64;

export const MODALITIES = ['TEXT', 'IMAGE'] as const;
export type Modality = (typeof MODALITIES)[number];

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
  readonly [Option in 'temperature' | 'topP' | 'seed']?: number | undefined;
};

/** Passed on to the upstream unchanged. */
type SafetySetting = { readonly category: string; readonly threshold: string };

/** A validated request, independent of the API format in which it came. */
export type ImageRequest<Image = InputImage> = {
  readonly model: ImageModel;
  readonly turns: readonly ImageTurn<Image>[];
  readonly systemInstruction?: string | undefined;
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

export const givenImages = ({ turns }: GivenImageRequest): readonly GivenImage[] =>
  turns.flatMap(({ parts }) =>
    parts.flatMap(({ content }) => (content.kind === 'image' ? [content.image] : [])),
  );

export const textPart = (text: string): ImagePart<never> => ({ content: { kind: 'text', text } });
export const imagePart = <Image>(image: Image): ImagePart<Image> => ({ content: { kind: 'image', image } });

const asksForSomething = ({ content }: GivenImagePart): boolean =>
  content.kind === 'image' || content.text.trim() !== '';

/** False if the user sent neither text nor an image. */
export const holdsPrompt = (turns: readonly GivenImageTurn[]): boolean =>
  turns.some(({ role, parts }) => role === 'user' && parts.some(asksForSomething));

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

/** The native response to an image that an upstream of another kind has made, or that was kept. */
export const nativeDocument = (
  { image, text, cutShort, tokens }: Pick<GeneratedImage, 'image' | 'text' | 'cutShort' | 'tokens'>,
  responseId?: string | undefined,
): GeneratedImage['document'] => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          ...(text === '' ? [] : [{ text }]),
          { inlineData: { mimeType: image.mimeType, data: image.base64 } },
        ],
      },
      finishReason: cutShort ? 'MAX_TOKENS' : 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: tokens.prompt,
    candidatesTokenCount: tokens.output,
    totalTokenCount: tokens.total,
  },
  ...(responseId === undefined ? {} : { responseId }),
});

export const chargedSize = ({ config }: Pick<ImageRequest, 'config'>): ImageSize =>
  config.imageSize ?? DEFAULT_IMAGE_SIZE;

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

export type ImageGenerators = ForUpstreams<ImageGenerator>;
