import { pixelSize } from '../../catalogue/domain/models.ts';
import { UpstreamError } from '../domain/faults.ts';
import type { OptionStyle } from '../domain/upstreams.ts';
import type { GenerationRequest, LoadedInput } from '../domain/video-generator.ts';
import { Form, type FormFields, formFields, imageFile } from './request-bodies.ts';

/** Requests of the OpenAI Videos API: a form, which all of its servers read. */

/** The fields for the options that the API does not have. */
const OPTION_FIELDS: Readonly<Record<OptionStyle, (request: GenerationRequest) => FormFields>> = {
  none: () => ({}),
  metadata: (request) => ({ metadata: toMetadata(request) }),
  'top-level': ({ resolution, aspectRatio, negativePrompt, seed }) => ({
    resolution,
    aspectRatio,
    negative_prompt: negativePrompt,
    seed,
  }),
  'media-generation': (request) => ({ metadata: toMetadata(request) }),
};

/** One field with JSON, which this service and others read. */
const toMetadata = ({ seconds, resolution, aspectRatio, negativePrompt, seed }: GenerationRequest): string =>
  JSON.stringify({ durationSeconds: seconds, resolution, aspectRatio, negativePrompt, seed });

const FILE_FIELDS: Readonly<Record<LoadedInput['role'], string>> = {
  first_frame: 'input_reference',
  last_frame: 'last_frame',
  reference: 'reference_images',
};

/** Most servers ignore unknown fields, so that an option would be missing from a video that is paid for. */
const requireExpressible = (
  style: OptionStyle,
  { negativePrompt, seed }: GenerationRequest,
  inputs: readonly LoadedInput[],
): void => {
  const hasOptions = (negativePrompt ?? seed) !== undefined;
  const hasOtherImages = inputs.some(({ role }) => role !== 'first_frame');
  if ((style === 'none' && hasOptions) || (style !== 'media-generation' && hasOtherImages))
    throw new UpstreamError(
      'operator',
      `The option style ${style} of the upstream has no field for an option of the request.`,
    );
};

export const toVideoForm = (
  model: string,
  style: OptionStyle,
  request: GenerationRequest,
  inputs: readonly LoadedInput[],
): Form => {
  requireExpressible(style, request, inputs);
  const fields: FormFields = {
    model,
    prompt: request.prompt === '' ? undefined : request.prompt,
    seconds: request.seconds,
    size: pixelSize(request.resolution, request.aspectRatio),
    ...OPTION_FIELDS[style](request),
  };
  const files = inputs.map((input, index) => imageFile(FILE_FIELDS[input.role], input, index));
  return new Form([...formFields(fields), ...files]);
};
