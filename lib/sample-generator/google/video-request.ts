import * as z from 'zod';
import { validate } from '../request-body.ts';
import { RESOLUTIONS } from '../test-prompts.ts';
import { invalid } from '../upstream-error.ts';
import type { VideoRequest } from '../video-request.ts';
import { unsupported, unsupportedUseCase } from './errors.ts';
import type { GoogleProtocol } from './protocol.ts';

type Kind = GoogleProtocol['kind'];

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
      resolution: z.enum(RESOLUTIONS).optional(),
      negativePrompt: z.string().optional(),
      generateAudio: z.boolean().optional(),
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
  return validate(body, input, (path, message) => {
    const field = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? 'instances';
    return invalid(`Invalid value at \`${field}\`: ${message}.`);
  });
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

type Instance = z.infer<typeof body>['instances'][number];

const checkImages = ({ image, lastFrame, referenceImages = [] }: Instance, seconds: number) => {
  const frames = image !== undefined || lastFrame !== undefined;
  const styled = referenceImages.some(
    ({ referenceType = 'asset' }) => referenceType.toLowerCase() !== 'asset',
  );
  const needsEight = lastFrame !== undefined || referenceImages.length > 0;
  if (
    (lastFrame !== undefined && image === undefined) ||
    (frames && referenceImages.length > 0) ||
    referenceImages.length > 3 ||
    styled ||
    (needsEight && seconds !== 8)
  ) {
    throw unsupportedUseCase();
  }
};

const decode = (picture: z.infer<typeof image> | undefined) =>
  picture && Buffer.from(picture.bytesBase64Encoded, 'base64');

/** Reads the body of `predictLongRunning`, with the upstream's own error messages. */
export const readVideoRequest = (input: unknown, kind: Kind): VideoRequest => {
  const { instances, parameters = {} } = parse(input, kind);
  const [instance] = instances;
  if (instance === undefined) throw invalid('Invalid value at `instances`.');
  const { durationSeconds: seconds = 8, resolution = '720p', negativePrompt } = parameters;
  if (instance.prompt === '' && instance.image === undefined)
    throw invalid('Invalid value at `prompt`: empty.');
  const references = instance.referenceImages ?? [];
  if (references.length > 0 && negativePrompt !== undefined) {
    throw invalid('Negative prompt is not supported in your use case.');
  }
  checkDuration(seconds, resolution);
  checkImages(instance, seconds);
  return {
    prompt: instance.prompt,
    seconds,
    resolution,
    isLandscape: parameters.aspectRatio !== '9:16',
    samples: parameters.sampleCount,
    seed: parameters.seed,
    isSilent: parameters.generateAudio === false,
    storageUri: kind === 'vertex' ? parameters.storageUri : undefined,
    first: decode(instance.image),
    last: decode(instance.lastFrame),
    references: references.flatMap(({ image: picture }) => decode(picture) ?? []),
  };
};
