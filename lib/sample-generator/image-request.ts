import * as z from 'zod';
import type { PictureStore, StoredPicture } from './pictures.ts';
import { readPrompt, type TestPrompts } from './read-test-prompts.ts';
import { textSeed } from './render/render-job.ts';
import { invalid } from './upstream-error.ts';

/** Pixels of each aspect ratio at 1K; other sizes are multiples. */
const AT_1K = {
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
} as const;

const FACTORS = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 } as const;

export type AspectRatio = keyof typeof AT_1K;
export type ImageSize = keyof typeof FACTORS;

const isAspectRatio = (text: string): text is AspectRatio => Object.hasOwn(AT_1K, text);
const isImageSize = (text: string): text is ImageSize => Object.hasOwn(FACTORS, text);

export const ASPECT_RATIOS = Object.keys(AT_1K).filter(isAspectRatio);
export const IMAGE_SIZES = Object.keys(FACTORS).filter(isImageSize);

export const imagePixels = (aspectRatio: AspectRatio, size: ImageSize) => {
  const [width, height] = AT_1K[aspectRatio];
  return { width: width * FACTORS[size], height: height * FACTORS[size] };
};

const MAX_PICTURES = 14;

const part = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string().min(1) }).optional(),
});

const body = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(part).min(1) })).min(1),
  generationConfig: z
    .object({
      responseModalities: z.array(z.string()).optional(),
      seed: z.int().optional(),
      imageConfig: z
        .object({ aspectRatio: z.string().optional(), imageSize: z.string().optional() })
        .optional(),
    })
    .optional(),
});

const parse = (input: unknown) => {
  const result = body.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`Invalid value at '${issue?.path.join('.') ?? ''}': ${issue?.message ?? 'not an object'}.`);
};

const readConfig = ({
  aspectRatio = '1:1',
  imageSize = '1K',
}: {
  aspectRatio?: string | undefined;
  imageSize?: string | undefined;
}) => {
  if (!isAspectRatio(aspectRatio)) throw invalid(`aspect_ratio must be one of ${ASPECT_RATIOS.join(', ')}.`);
  if (!isImageSize(imageSize)) throw invalid(`image_size must be one of ${IMAGE_SIZES.join(', ')}.`);
  return { aspectRatio, imageSize };
};

/** Reads the body of `generateContent`. */
const readImageRequest = (input: unknown) => {
  const { contents, generationConfig = {} } = parse(input);
  const parts = contents.flatMap((content) => content.parts);
  const prompt = parts
    .flatMap(({ text }) => text ?? [])
    .join(' ')
    .trim();
  const pictures = parts.flatMap(({ inlineData }) => inlineData?.data ?? []);
  if (prompt === '' && pictures.length === 0) throw invalid('contents must not be empty.');
  if (pictures.length > MAX_PICTURES) throw invalid(`At most ${MAX_PICTURES} input images are supported.`);
  const modalities = generationConfig.responseModalities?.map((modality) => modality.toUpperCase());
  return {
    prompt,
    pictures,
    seed: generationConfig.seed,
    image: modalities?.includes('IMAGE') ?? true,
    ...readConfig(generationConfig.imageConfig ?? {}),
  };
};

/** A validated image request. */
export type ImageSpec = {
  readonly model: string;
  readonly prompt: string;
  readonly testPrompts: TestPrompts;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly references: readonly StoredPicture[];
};

// The response is a single JSON document.
const MAX_MEGABYTES = 50;

export const imageSpec = async (
  model: string,
  body: unknown,
  { name, pictures }: { readonly name: string; readonly pictures: PictureStore },
): Promise<ImageSpec> => {
  const request = readImageRequest(body);
  const { prompt, testPrompts } = readPrompt(request.prompt, 'image', name);
  if ((testPrompts.megabytes ?? 0) > MAX_MEGABYTES)
    throw invalid(`A sample image can have at most ${MAX_MEGABYTES}MB.`);
  return {
    model,
    prompt,
    testPrompts: request.image ? testPrompts : { ...testPrompts, textOnly: true },
    ...imagePixels(request.aspectRatio, request.imageSize),
    seed: request.seed ?? textSeed(prompt) % 100_000,
    references: await Promise.all(request.pictures.map((base64) => pictures.keep(base64))),
  };
};
