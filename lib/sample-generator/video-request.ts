import * as z from 'zod';
import { type PictureStore, storedPicture } from './pictures.ts';
import { readPrompt } from './read-test-prompts.ts';
import { textSeed } from './render/render-job.ts';
import { type Resolution, testPromptsSchema } from './test-prompts.ts';

/** Test prompts and most kinds of upstreams have no 360p. */
type Size = Resolution | '360p';

const SIDES = {
  '360p': [640, 360],
  '720p': [1280, 720],
  '1080p': [1920, 1080],
  '4k': [3840, 2160],
} as const satisfies Record<Size, readonly [number, number]>;

/** A video request that any dialect has read and validated. */
export type VideoRequest = {
  readonly prompt: string;
  readonly seconds: number;
  readonly resolution: Size;
  readonly isLandscape: boolean;
  readonly seed?: number | undefined;
  readonly samples?: number | undefined;
  readonly isSilent?: boolean | undefined;
  readonly first?: Buffer | undefined;
  readonly last?: Buffer | undefined;
  readonly references?: readonly Buffer[];
  readonly storageUri?: string | undefined;
};

/** A validated video request. It is small, since its pictures are in the picture store. */
export const videoSpecSchema = z.object({
  model: z.string(),
  prompt: z.string(),
  testPrompts: testPromptsSchema,
  width: z.number(),
  height: z.number(),
  seconds: z.number(),
  seed: z.number(),
  samples: z.number(),
  /** Without a sound track. */
  isSilent: z.boolean().exactOptional(),
  first: storedPicture.exactOptional(),
  last: storedPicture.exactOptional(),
  references: z.array(storedPicture),
  /** Where Vertex AI stores the video. */
  storageUri: z.string().exactOptional(),
});
export type VideoSpec = z.infer<typeof videoSpecSchema>;

const toPixels = (resolution: Size, isLandscape: boolean) => {
  const [long, short] = SIDES[resolution];
  return isLandscape ? { width: long, height: short } : { width: short, height: long };
};

/** The upstream that receives a request. */
type Receiver = { readonly name: string; readonly pictures: PictureStore };

export const videoSpec = async (
  model: string,
  request: VideoRequest,
  { name, pictures }: Receiver,
): Promise<VideoSpec> => {
  const { prompt, testPrompts } = readPrompt(request.prompt, 'video', name);
  const { first, last, references = [], storageUri } = request;
  return {
    model,
    prompt,
    testPrompts,
    ...toPixels(request.resolution, request.isLandscape),
    seconds: request.seconds,
    // The default seed depends on the prompt, so that the same request gives the same clip.
    seed: request.seed ?? textSeed(prompt) % 100_000,
    samples: testPrompts.samples ?? request.samples ?? 1,
    ...(request.isSilent === true && { isSilent: true }),
    ...(first !== undefined && { first: await pictures.keep(first) }),
    ...(last !== undefined && { last: await pictures.keep(last) }),
    references: await Promise.all(references.map((bytes) => pictures.keep(bytes))),
    ...(storageUri !== undefined && { storageUri }),
  };
};

/** The video that is delivered, which test prompts can make differ from the one requested. */
export const deliveredSpec = (spec: VideoSpec): VideoSpec => {
  const { deliveredResolution, deliveredSeconds } = spec.testPrompts;
  return {
    ...spec,
    ...(deliveredResolution && toPixels(deliveredResolution, spec.width > spec.height)),
    ...(deliveredSeconds !== undefined && { seconds: deliveredSeconds }),
  };
};
