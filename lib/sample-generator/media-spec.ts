import * as z from 'zod';
import { type PictureStore, storedPicture } from './pictures.ts';
import { readPrompt } from './read-test-prompts.ts';
import { textSeed } from './render/render-job.ts';
import { type Medium, type Resolution, testPromptsSchema } from './test-prompts.ts';
import { invalid } from './upstream-error.ts';

/** Requests that any dialect has read and validated. */

type MediaRequest = {
  readonly prompt: string;
  readonly seed?: number | undefined;
  readonly references?: readonly Buffer[];
};

export type ImageRequest = MediaRequest & {
  readonly width: number;
  readonly height: number;
  /** Whether the request asks for an image at all. */
  readonly wantsImage?: boolean;
};

/** Test prompts and most kinds of upstreams have no 360p. */
type Size = Resolution | '360p';

export type VideoRequest = MediaRequest & {
  readonly seconds: number;
  readonly resolution: Size;
  readonly isLandscape: boolean;
  readonly samples?: number | undefined;
  readonly isSilent?: boolean | undefined;
  readonly first?: Buffer | undefined;
  readonly last?: Buffer | undefined;
  readonly storageUri?: string | undefined;
};

/** The media to render. A specification is small, since its pictures are in the picture store. */
const imageSpecSchema = z.object({
  model: z.string(),
  prompt: z.string(),
  testPrompts: testPromptsSchema,
  width: z.number(),
  height: z.number(),
  seed: z.number(),
  references: z.array(storedPicture),
});
export type ImageSpec = z.infer<typeof imageSpecSchema>;

export const videoSpecSchema = imageSpecSchema.extend({
  seconds: z.number(),
  samples: z.number(),
  /** Without a sound track. */
  isSilent: z.boolean().exactOptional(),
  first: storedPicture.exactOptional(),
  last: storedPicture.exactOptional(),
  /** Where Vertex AI stores the video. */
  storageUri: z.string().exactOptional(),
});
export type VideoSpec = z.infer<typeof videoSpecSchema>;

/** The upstream that receives a request. */
type Receiver = { readonly name: string; readonly pictures: PictureStore };

const mediaSpec = async (medium: Medium, request: MediaRequest, { name, pictures }: Receiver) => {
  const { prompt, testPrompts } = readPrompt(request.prompt, medium, name);
  return {
    prompt,
    testPrompts,
    // The default seed depends on the prompt, so that the same request gives the same media.
    seed: request.seed ?? textSeed(prompt) % 100_000,
    references: await Promise.all((request.references ?? []).map((bytes) => pictures.keep(bytes))),
  };
};

const MAX_PICTURES = 14;
// The response is a single JSON document.
const MAX_MEGABYTES = 50;

export const imageSpec = async (
  model: string,
  request: ImageRequest,
  receiver: Receiver,
): Promise<ImageSpec> => {
  const { references = [], width, height, wantsImage = true } = request;
  if (references.length > MAX_PICTURES) throw invalid(`At most ${MAX_PICTURES} input images are supported.`);
  const { testPrompts, ...spec } = await mediaSpec('image', request, receiver);
  if ((testPrompts.megabytes ?? 0) > MAX_MEGABYTES)
    throw invalid(`A sample image can have at most ${MAX_MEGABYTES}MB.`);
  const shown = wantsImage ? testPrompts : { ...testPrompts, textOnly: true };
  return { model, ...spec, testPrompts: shown, width, height };
};

const SIDES = {
  '360p': [640, 360],
  '720p': [1280, 720],
  '1080p': [1920, 1080],
  '4k': [3840, 2160],
} as const satisfies Record<Size, readonly [number, number]>;

const toPixels = (resolution: Size, isLandscape: boolean) => {
  const [long, short] = SIDES[resolution];
  return isLandscape ? { width: long, height: short } : { width: short, height: long };
};

export const videoSpec = async (
  model: string,
  request: VideoRequest,
  receiver: Receiver,
): Promise<VideoSpec> => {
  const spec = await mediaSpec('video', request, receiver);
  const { first, last, seconds, samples = 1, storageUri } = request;
  return {
    model,
    ...spec,
    ...toPixels(request.resolution, request.isLandscape),
    seconds,
    samples: spec.testPrompts.samples ?? samples,
    ...(request.isSilent === true && { isSilent: true }),
    ...(first !== undefined && { first: await receiver.pictures.keep(first) }),
    ...(last !== undefined && { last: await receiver.pictures.keep(last) }),
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
