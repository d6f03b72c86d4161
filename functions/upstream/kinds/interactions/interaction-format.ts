import * as z from 'zod/mini';
import type { VideoMode } from '../../../catalogue/domain/models.ts';
import { scanJson } from '../../adapters/base64-json.ts';
import { lenient, lenientText } from '../../adapters/lenient.ts';
import { Base64 } from '../../adapters/request-bodies.ts';
import { unreadableOperation } from '../../adapters/video-format.ts';
import { upstreamMessage } from '../../domain/faults.ts';
import type {
  GenerationRequest,
  LoadedInput,
  OperationState,
  VideoError,
  VideoErrorCode,
} from '../../domain/video-generator.ts';

/** The format of Google's interactions, in which the roles of images are tags in the prompt. */

const TASKS: Readonly<Record<VideoMode, string>> = {
  text: 'text_to_video',
  first_frame: 'image_to_video',
  first_and_last_frame: 'image_to_video',
  references: 'reference_to_video',
};

/** Angle brackets, also those that the model may read as such, and the start of a header, `[#`. */
const OPENING = /[<\uff1c\ufe64\u2329\u27e8\u3008]/g;
const CLOSING = /[>\uff1e\ufe65\u232a\u27e9\u3009]/g;
const HEADER = /[[\uff3b](?=\s{0,20}[#\uff03])/g;

/** Without them, no prompt of a client can give an image another role. */
export const withoutTags = (prompt: string): string =>
  prompt.replace(OPENING, '‹').replace(CLOSING, '›').replace(HEADER, '(');

const REFERENCES_ONLY =
  'Use the given image(s) as references for video generation. The images should not be used as literal initial frames.';

const PROMPTS: Readonly<Record<VideoMode, (prompt: string, images: number) => string>> = {
  text: (prompt) => prompt,
  first_frame: (prompt) => `<FIRST_FRAME> ${prompt}`,
  first_and_last_frame: (prompt) => `<FIRST_FRAME> <LAST_FRAME> ${prompt}`,
  references: (prompt, images) => {
    const tags = Array.from({ length: images }, (_, index) => `<IMAGE_REF_${index}>@Image${index + 1}`);
    return `[# References ${tags.join(' ')}] ${prompt} ${REFERENCES_ONLY}`;
  },
};

/** The tags name images by their order. */
const TAG_ORDER = [
  'first_frame',
  'last_frame',
  'reference',
] as const satisfies readonly LoadedInput['role'][];

const inTagOrder = (inputs: readonly LoadedInput[]): readonly LoadedInput[] =>
  TAG_ORDER.flatMap((role) => inputs.filter((input) => input.role === role));

export const toInteraction = (
  model: string,
  { mode, prompt, seconds, resolution, aspectRatio }: GenerationRequest,
  inputs: readonly LoadedInput[],
  storageUri: string | undefined,
) => ({
  model,
  input: [
    ...inTagOrder(inputs).map(({ bytes, mimeType }) => ({
      type: 'image',
      data: new Base64(bytes),
      mime_type: mimeType,
    })),
    { type: 'text', text: PROMPTS[mode](withoutTags(prompt), inputs.length).trim() },
  ],
  background: true,
  generation_config: { video_config: { task: TASKS[mode] } },
  response_format: {
    type: 'video',
    delivery: 'uri',
    aspect_ratio: aspectRatio,
    resolution,
    duration: `${seconds}s`,
    gcs_uri: storageUri,
  },
});

const errorSchema = z.object({ code: lenientText, message: lenientText });
const contentSchema = z.object({ type: lenientText, text: lenientText, uri: lenientText });
const interactionSchema = z.object({
  status: z.string(),
  steps: lenient(z.array(z.object({ type: lenientText, content: lenient(z.array(contentSchema), []) })), []),
  error: lenient(errorSchema, undefined),
  errors: lenient(z.array(errorSchema), []),
});
type Interaction = z.infer<typeof interactionSchema>;

/** Any other status, also an unknown one, means that the video is not finished. */
const ENDED: ReadonlyMap<string, string> = new Map([
  ['failed', 'The generator failed.'],
  ['cancelled', 'The generator cancelled the video.'],
  ['incomplete', 'The generator did not finish the video.'],
  ['budget_exceeded', 'The budget of the generator is used up.'],
  ['requires_action', 'The generator asked for more instead of making a video.'],
  ['requires_continuation', 'The generator asked for more instead of making a video.'],
]);

/** Other codes mean upstream_unavailable. */
const ERROR_CODES: ReadonlyMap<string, VideoErrorCode> = new Map([
  ['invalid_request', 'upstream_rejected'],
  ['resource_exhausted', 'rate_limited'],
]);

const toTaskError = ({ error, errors }: Interaction, fallback: string): VideoError => {
  const { code = '', message = '' } = error ?? errors[0] ?? {};
  return {
    code: ERROR_CODES.get(code) ?? 'upstream_unavailable',
    message: upstreamMessage(message, fallback),
  };
};

/** A refusal for safety is a completed interaction with an explanation instead of a video. */
const toResult = ({ steps }: Interaction, toAddress: (uri: string) => string): OperationState => {
  const output = steps.filter(({ type }) => type === 'model_output').flatMap(({ content }) => content);
  const video = output.findLast(({ type }) => type === 'video');
  if (video?.uri !== undefined)
    return { state: 'done', source: { kind: 'address', uri: toAddress(video.uri) } };
  if (video !== undefined)
    return {
      state: 'failed',
      error: { code: 'upstream_unavailable', message: 'The generator did not say where the video is.' },
    };
  const words = output.flatMap(({ text = '' }) => (text.trim() === '' ? [] : text.trim()));
  const message = upstreamMessage(words.join(' '), 'The generator made no video of this request.');
  return { state: 'failed', error: { code: 'content_blocked', message } };
};

const toState = (interaction: Interaction, toAddress: (uri: string) => string): OperationState => {
  if (interaction.status === 'completed') return toResult(interaction, toAddress);
  const ended = ENDED.get(interaction.status);
  return ended === undefined
    ? { state: 'pending' }
    : { state: 'failed', error: toTaskError(interaction, ended) };
};

/** The keys of values that are passed over: the input images, and the signatures of thoughts. */
const LARGE_KEYS = ['data', 'signature'];
const MAX_TEXT = 1_000_000;
/** More than the largest request, which the interaction repeats, with texts and thoughts. */
const MAX_BYTES = 150_000_000;

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error('the interaction is too large');
    yield chunk;
  }
}

/** Reads the state of an interaction, which repeats the input images, without holding them in memory. */
export const readInteraction = async (
  body: AsyncIterable<Uint8Array>,
  toAddress: (uri: string) => string,
): Promise<OperationState> => {
  try {
    for await (const event of scanJson(limited(body), LARGE_KEYS, MAX_TEXT))
      if (event.kind === 'end')
        return toState(interactionSchema.parse(JSON.parse(event.document)), toAddress);
    throw new Error('the interaction has no end');
  } catch (error) {
    throw unreadableOperation(error);
  }
};
