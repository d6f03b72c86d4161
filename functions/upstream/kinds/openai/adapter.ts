import { pixelSize } from '../../../catalogue/domain/models.ts';
import { imageClient } from '../../adapters/image-format.ts';
import { type ModelName, probesInList } from '../../adapters/probe.ts';
import { Form, type FormFields, formFields, imageFile } from '../../adapters/request-bodies.ts';
import { type BearerOptions, connectBearer } from '../../adapters/upstream-connection.ts';
import { videoClient } from '../../adapters/video-format.ts';
import { readJob } from '../../adapters/video-jobs.ts';
import { UpstreamError } from '../../domain/faults.ts';
import type { GenerationRequest, LoadedInput } from '../../domain/video-generator.ts';
import type { OptionStyle } from './declaration.ts';
import { readImages, toImagesCall } from './images-api.ts';

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

/** A form, which all servers of the Videos API read. */
const toVideoForm = (
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

/** Ids are opaque; one that begins with a dot could leave the folder. */
const JOB_ID = /^[\w-][\x21-\x7e]{0,1023}$/;
const jobPath = (operation: string): string => `v1/videos/${encodeURIComponent(operation)}`;

type Options = BearerOptions & {
  readonly modelName: ModelName;
  /** Where the server reads the options that the Videos API does not have. */
  readonly options: OptionStyle;
};

/** Any server of the OpenAI API; its base URL has no version. */
export const openAiClient = ({ modelName, options: style, ...options }: Options) => {
  const server = connectBearer(options);
  const { call, url, download } = server;
  return {
    ...probesInList(server, () => 'v1/models'),
    videos: videoClient(server, {
      operationName: JOB_ID,
      nameFields: ['id', 'task_id'],
      submit: (request, inputs, idempotencyKey) => ({
        path: 'v1/videos',
        body: toVideoForm(modelName(request.model), style, request, inputs),
        headers: { 'idempotency-key': idempotencyKey },
      }),
      check: async (operation, timeoutMs) => {
        const path = jobPath(operation);
        const job = readJob(await call(path, { timeoutMs }));
        if (job.state !== 'done') return job;
        return { state: 'done', source: { kind: 'address', uri: url(`${path}/content`).pathname } };
      },
      // Found by the operation, so that the address of the server may change in the meantime.
      open: (operation, _, timeoutMs) => download(url(`${jobPath(operation)}/content`), timeoutMs),
    }),
  };
};

export const openAiImages = ({ modelName, ...options }: Omit<Options, 'options'>) =>
  imageClient(connectBearer(options), {
    send: (request) => toImagesCall(modelName(request.model), request),
    read: readImages,
  });
