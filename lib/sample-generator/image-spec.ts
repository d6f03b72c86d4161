import type { Directives } from './directive-types.ts';
import { readPrompt } from './directives.ts';
import { readImageRequest } from './image-request.ts';
import { imagePixels } from './image-sizes.ts';
import type { PictureStore, StoredPicture } from './pictures.ts';
import { textSeed } from './render/random.ts';
import { invalid } from './upstream-error.ts';

/** A checked request for an image. */
export type ImageSpec = {
  readonly model: string;
  readonly prompt: string;
  readonly directives: Directives;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly references: readonly StoredPicture[];
};

// The whole answer is one JSON document.
const MOST_MEGABYTES = 50;

export const imageSpec = async (model: string, body: unknown, pictures: PictureStore): Promise<ImageSpec> => {
  const request = readImageRequest(body);
  const { prompt, directives } = readPrompt(request.prompt, 'image');
  if ((directives.megabytes ?? 0) > MOST_MEGABYTES)
    throw invalid(`A sample image has at most ${MOST_MEGABYTES}MB.`);
  return {
    model,
    prompt,
    directives: request.image ? directives : { ...directives, textOnly: true },
    ...imagePixels(request.aspectRatio, request.imageSize),
    seed: request.seed ?? textSeed(prompt) % 100_000,
    references: await Promise.all(request.pictures.map((base64) => pictures.keep(base64))),
  };
};
