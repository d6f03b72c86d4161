import type { Directives } from './directive-types.ts';
import { readPrompt } from './directives.ts';
import type { PictureStore, StoredPicture } from './pictures.ts';
import { textSeed } from './render/random.ts';
import { readVideoRequest } from './video-request.ts';

/** A checked request for videos, small enough to be written down: its pictures are in the store. */
export type VideoSpec = {
  readonly model: string;
  readonly prompt: string;
  readonly directives: Directives;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly seed: number;
  readonly samples: number;
  readonly first?: StoredPicture;
  readonly last?: StoredPicture;
  readonly references: readonly StoredPicture[];
};

const SIDES = { '720p': [1280, 720], '1080p': [1920, 1080], '4k': [3840, 2160] } as const;

export const videoSpec = async (model: string, body: unknown, pictures: PictureStore): Promise<VideoSpec> => {
  const request = readVideoRequest(body);
  const { prompt, directives } = readPrompt(request.prompt, 'video');
  const [long, short] = SIDES[request.resolution];
  const landscape = request.aspectRatio === '16:9';
  return {
    model,
    prompt,
    directives,
    width: landscape ? long : short,
    height: landscape ? short : long,
    seconds: request.seconds,
    // Without a seed the upstream picks one; here the prompt does, so that the same request is the same clip.
    seed: request.seed ?? textSeed(prompt) % 100_000,
    samples: directives.samples ?? request.samples,
    ...(request.first !== undefined && { first: await pictures.keep(request.first) }),
    ...(request.last !== undefined && { last: await pictures.keep(request.last) }),
    references: await Promise.all(request.references.map((base64) => pictures.keep(base64))),
  };
};
