import { readPrompt } from './directives.ts';
import { readImageRequest } from './image-request.ts';
import { imagePixels } from './image-sizes.ts';
import type { PictureStore, StoredPicture } from './pictures.ts';
import { textSeed } from './render/random.ts';
import { invalid } from './upstream-error.ts';
import type { Wishes } from './wishes.ts';

/** A checked request for an image. */
export type ImageOrder = {
  readonly model: string;
  readonly prompt: string;
  readonly wishes: Wishes;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly references: readonly StoredPicture[];
};

// The whole answer is one JSON document.
const MOST_MEGABYTES = 50;

export const orderImage = async (
  model: string,
  body: unknown,
  pictures: PictureStore,
): Promise<ImageOrder> => {
  const request = readImageRequest(body);
  const { prompt, wishes } = readPrompt(request.prompt, 'image');
  if ((wishes.megabytes ?? 0) > MOST_MEGABYTES)
    throw invalid(`A sample image has at most ${MOST_MEGABYTES}MB.`);
  return {
    model,
    prompt,
    wishes: request.image ? wishes : { ...wishes, textOnly: true },
    ...imagePixels(request.aspectRatio, request.imageSize),
    seed: request.seed ?? textSeed(prompt) % 100_000,
    references: await Promise.all(request.pictures.map((base64) => pictures.keep(base64))),
  };
};
