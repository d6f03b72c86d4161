import * as z from 'zod';
import type { PictureStore, StoredPicture } from './pictures.ts';
import { readPrompt, type TestPrompts } from './read-test-prompts.ts';
import { textSeed } from './render/render-job.ts';
import { invalid, unsupported, unsupportedUseCase } from './upstream-error.ts';

export type Kind = 'gemini' | 'vertex';

const image = z.object({ bytesBase64Encoded: z.string().min(1), mimeType: z.string().optional() });

const body = z.object({
  instances: z
    .array(
      z.object({
        prompt: z.string().default(''),
        image: image.optional(),
        lastFrame: image.optional(),
        referenceImages: z.array(z.object({ image, referenceType: z.string().optional() })).optional(),
      }),
    )
    .length(1),
  parameters: z
    .object({
      sampleCount: z.int().min(1).max(4).optional(),
      durationSeconds: z.number().optional(),
      aspectRatio: z.enum(['16:9', '9:16']).optional(),
      resolution: z.enum(['720p', '1080p', '4k']).optional(),
      negativePrompt: z.string().optional(),
      seed: z.int().min(0).max(4_294_967_295).optional(),
      storageUri: z
        .string()
        .regex(/^gs:\/\/[^/]+\//)
        .optional(),
    })
    .optional(),
});

/** Fields of other dialects, for which the upstream has its own error messages. */
const foreignFields = z.object({
  instances: z.array(z.looseObject({ image: z.looseObject({}).optional() })).optional(),
  parameters: z.looseObject({}).optional(),
});

const parse = (input: unknown, kind: Kind) => {
  const loose = foreignFields.safeParse(input).data;
  // Vertex AI has this parameter.
  if (kind === 'gemini' && loose?.parameters !== undefined && 'generateAudio' in loose.parameters)
    throw unsupported('generateAudio');
  if (loose?.instances?.some((instance) => instance.image !== undefined && 'inlineData' in instance.image)) {
    throw unsupported('inlineData');
  }
  const result = body.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.findLast((part) => typeof part === 'string') ?? 'instances';
  throw invalid(`Invalid value at \`${field}\`: ${issue?.message ?? 'not an object'}.`);
};

const checkDuration = (seconds: number, resolution: string) => {
  if (seconds < 4 || seconds > 8) {
    throw invalid(
      'The number value for `durationSeconds` is out of bound. Please provide a value between 4 and 8, inclusive.',
    );
  }
  if (![4, 6, 8].includes(seconds)) {
    throw invalid(`Unsupported video duration ${seconds} seconds: use 4, 6 or 8.`);
  }
  if (resolution !== '720p' && seconds !== 8) {
    throw invalid(`Resolution ${resolution} requires duration seconds to be 8 seconds, but got ${seconds}`);
  }
};

/** Parses the body of `predictLongRunning`, with the upstream's own error messages. */
const readVideoRequest = (input: unknown, kind: Kind) => {
  const { instances, parameters = {} } = parse(input, kind);
  const [instance] = instances;
  if (instance === undefined) throw invalid('Invalid value at `instances`.');
  const {
    durationSeconds: seconds = 8,
    resolution = '720p',
    aspectRatio = '16:9',
    negativePrompt,
  } = parameters;
  if (instance.prompt === '' && instance.image === undefined)
    throw invalid('Invalid value at `prompt`: empty.');
  const references = instance.referenceImages ?? [];
  if (references.length > 0 && negativePrompt !== undefined) {
    throw invalid('Negative prompt is not supported in your use case.');
  }
  checkDuration(seconds, resolution);
  const frames = instance.image !== undefined || instance.lastFrame !== undefined;
  const styled = references.some(({ referenceType = 'asset' }) => referenceType.toLowerCase() !== 'asset');
  const needsEight = instance.lastFrame !== undefined || references.length > 0;
  if (
    (instance.lastFrame !== undefined && instance.image === undefined) ||
    (frames && references.length > 0) ||
    references.length > 3 ||
    styled ||
    (needsEight && seconds !== 8)
  ) {
    throw unsupportedUseCase();
  }
  return {
    prompt: instance.prompt,
    seconds,
    resolution,
    aspectRatio,
    samples: parameters.sampleCount ?? 1,
    seed: parameters.seed,
    storageUri: kind === 'vertex' ? parameters.storageUri : undefined,
    first: instance.image?.bytesBase64Encoded,
    last: instance.lastFrame?.bytesBase64Encoded,
    references: references.map((reference) => reference.image.bytesBase64Encoded),
  };
};

/** A validated video request. It is small, since its pictures are in the picture store. */
export type VideoSpec = {
  readonly model: string;
  readonly prompt: string;
  readonly testPrompts: TestPrompts;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly seed: number;
  readonly samples: number;
  readonly first?: StoredPicture;
  readonly last?: StoredPicture;
  readonly references: readonly StoredPicture[];
  /** Where Vertex AI stores the video. */
  readonly storageUri?: string;
};

const SIDES = { '720p': [1280, 720], '1080p': [1920, 1080], '4k': [3840, 2160] } as const;

/** The upstream that receives a request. */
type Receiver = { readonly kind: Kind; readonly name: string; readonly pictures: PictureStore };

export const videoSpec = async (
  model: string,
  body: unknown,
  { kind, name, pictures }: Receiver,
): Promise<VideoSpec> => {
  const request = readVideoRequest(body, kind);
  const { prompt, testPrompts } = readPrompt(request.prompt, 'video', name);
  const [long, short] = SIDES[request.resolution];
  const landscape = request.aspectRatio === '16:9';
  return {
    model,
    prompt,
    testPrompts,
    width: landscape ? long : short,
    height: landscape ? short : long,
    seconds: request.seconds,
    // The default seed depends on the prompt, so that the same request gives the same clip.
    seed: request.seed ?? textSeed(prompt) % 100_000,
    samples: testPrompts.samples ?? request.samples,
    ...(request.first !== undefined && { first: await pictures.keep(request.first) }),
    ...(request.last !== undefined && { last: await pictures.keep(request.last) }),
    references: await Promise.all(request.references.map((base64) => pictures.keep(base64))),
    ...(request.storageUri !== undefined && { storageUri: request.storageUri }),
  };
};
