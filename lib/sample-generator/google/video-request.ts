import * as z from 'zod';
import type { VideoRequest } from '../media-spec.ts';
import { validate } from '../request-body.ts';
import { RESOLUTIONS } from '../test-prompts.ts';
import { invalid } from '../upstream-error.ts';
import { unsupported, unsupportedUseCase } from './errors.ts';
import type { GoogleProtocol } from './protocol.ts';

const image = z.strictObject({ bytesBase64Encoded: z.string().min(1), mimeType: z.string().optional() });

/** The fields that a video needs. Others are refused, so that a misspelled one is noticed. */
const body = z.strictObject({
  instances: z
    .array(
      z.strictObject({
        prompt: z.string().default(''),
        image: image.optional(),
        lastFrame: image.optional(),
        referenceImages: z.array(z.strictObject({ image, referenceType: z.string().optional() })).optional(),
      }),
    )
    .length(1),
  parameters: z
    .strictObject({
      sampleCount: z.int().min(1).max(4).optional(),
      durationSeconds: z.number().optional(),
      aspectRatio: z.enum(['16:9', '9:16']).optional(),
      resolution: z.enum(RESOLUTIONS).optional(),
      negativePrompt: z.string().optional(),
      seed: z.int().min(0).max(4_294_967_295).optional(),
      // Parameters of Vertex AI.
      generateAudio: z.boolean().optional(),
      personGeneration: z.string().optional(),
      storageUri: z
        .string()
        .regex(/^gs:\/\/[^/]+\//)
        .optional(),
    })
    .optional(),
});

const parse = (input: unknown, kind: GoogleProtocol['kind']) => {
  const given = validate(body, input, (path, message) => {
    const field = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? 'instances';
    return invalid(`Invalid value at \`${field}\`: ${message}.`);
  });
  if (kind === 'gemini' && given.parameters?.generateAudio !== undefined) throw unsupported('generateAudio');
  return given;
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
  if (
    (lastFrame !== undefined && image === undefined) ||
    (frames && referenceImages.length > 0) ||
    referenceImages.length > 3 ||
    styled ||
    (referenceImages.length > 0 && seconds !== 8)
  ) {
    throw unsupportedUseCase();
  }
};

const decode = (picture: z.infer<typeof image> | undefined) =>
  picture && Buffer.from(picture.bytesBase64Encoded, 'base64');

/** Reads the body of `predictLongRunning`, with the upstream's own error messages. */
export const readVideoRequest = (input: unknown, kind: GoogleProtocol['kind']): VideoRequest => {
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
