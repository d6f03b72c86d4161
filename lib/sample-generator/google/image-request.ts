import * as z from 'zod';
import { ASPECT_RATIOS, IMAGE_SIZES, imagePixels, isAspectRatio, isImageSize } from '../image-sizes.ts';
import type { ImageRequest } from '../media-spec.ts';
import { validate } from '../request-body.ts';
import { invalid } from '../upstream-error.ts';

const part = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string().min(1) }).optional(),
});

const imageConfig = z.object({ aspectRatio: z.string().optional(), imageSize: z.string().optional() });

const body = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(part).min(1) })).min(1),
  generationConfig: z
    .object({
      responseModalities: z.array(z.string()).optional(),
      seed: z.int().optional(),
      imageConfig: imageConfig.optional(),
    })
    .optional(),
});

const readPixels = ({ aspectRatio = '1:1', imageSize = '1K' }: z.infer<typeof imageConfig>) => {
  if (!isAspectRatio(aspectRatio)) throw invalid(`aspect_ratio must be one of ${ASPECT_RATIOS.join(', ')}.`);
  if (!isImageSize(imageSize)) throw invalid(`image_size must be one of ${IMAGE_SIZES.join(', ')}.`);
  return imagePixels(aspectRatio, imageSize);
};

/** Reads the body of `generateContent`. */
export const readImageRequest = (input: unknown): ImageRequest => {
  const { contents, generationConfig = {} } = validate(body, input, (field, message) =>
    invalid(`Invalid value at '${field}': ${message}.`),
  );
  const parts = contents.flatMap((content) => content.parts);
  const prompt = parts
    .flatMap(({ text }) => text ?? [])
    .join(' ')
    .trim();
  const pictures = parts.flatMap(({ inlineData }) => inlineData?.data ?? []);
  if (prompt === '' && pictures.length === 0) throw invalid('contents must not be empty.');
  const modalities = generationConfig.responseModalities?.map((modality) => modality.toUpperCase());
  return {
    prompt,
    references: pictures.map((data) => Buffer.from(data, 'base64')),
    seed: generationConfig.seed,
    wantsImage: modalities?.includes('IMAGE') ?? true,
    ...readPixels(generationConfig.imageConfig ?? {}),
  };
};
