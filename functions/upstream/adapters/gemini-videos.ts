import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/errors.ts';
import type { LoadedInput, OperationState, VideoGenerator } from '../../videos/domain/media.ts';
import { SUBMIT_TIMEOUT } from '../../videos/domain/schedule.ts';
import type { TaskError, TaskErrorCode, TaskRequest } from '../../videos/domain/task.ts';
import { UpstreamError } from '../domain/upstream.ts';
import type { GeminiClient } from './gemini-client.ts';
import { Base64 } from './json-body.ts';

const CHECK_TIMEOUT_MS = 30_000;
const MAX_MESSAGE = 500;
/** An operation can contain its video as Base64. */
const MAX_OPERATION_BYTES = 128 * 1024 * 1024;

const startedSchema = z.object({ name: z.string().check(z.regex(/^[\w./-]+$/)) });

const videoSchema = z.object({ uri: z.optional(z.string()), encodedVideo: z.optional(z.string()) });
const operationSchema = z.object({
  done: z.optional(z.boolean()),
  error: z.optional(z.object({ code: z._default(z.number(), 13), message: z._default(z.string(), '') })),
  response: z.optional(
    z.object({
      generateVideoResponse: z.optional(
        z.object({
          generatedSamples: z._default(z.array(z.object({ video: z.optional(videoSchema) })), []),
          raiMediaFilteredReasons: z._default(z.array(z.string()), []),
          raiMediaFilteredCount: z._default(z.number(), 0),
        }),
      ),
    }),
  ),
});
type Operation = z.infer<typeof operationSchema>;

/** Other google.rpc codes mean upstream_unavailable. */
const RPC_CODES: Readonly<Record<number, TaskErrorCode>> = { 3: 'upstream_rejected', 8: 'rate_limited' };

const readVideos = ({ response }: Operation) =>
  (response?.generateVideoResponse?.generatedSamples ?? []).flatMap(({ video }) => (video ? [video] : []));

const toTaskError = ({ error, response }: Operation): TaskError => {
  if (error !== undefined)
    return {
      code: RPC_CODES[error.code] ?? 'upstream_unavailable',
      message: truncate(error.message, MAX_MESSAGE) || 'The generator failed.',
    };
  const result = response?.generateVideoResponse;
  if (result !== undefined && result.raiMediaFilteredCount + result.raiMediaFilteredReasons.length > 0)
    return {
      code: 'content_blocked',
      message:
        truncate(result.raiMediaFilteredReasons.join(' '), MAX_MESSAGE) ||
        'The generator filtered the video.',
    };
  return { code: 'upstream_unavailable', message: 'The generator finished without a video.' };
};

const toOperationState = (operation: Operation, { storedAddress }: GeminiClient): OperationState => {
  if (operation.done !== true) return { state: 'pending' };
  // An operation with an error has failed, even if it contains a video.
  const video = operation.error === undefined ? readVideos(operation)[0] : undefined;
  if (video?.uri !== undefined)
    return { state: 'done', source: { kind: 'address', uri: storedAddress(video.uri) } };
  if (video?.encodedVideo !== undefined) return { state: 'done', source: { kind: 'inline' } };
  return { state: 'failed', error: toTaskError(operation) };
};

const toImage = ({ bytes, mimeType }: LoadedInput) => ({
  bytesBase64Encoded: new Base64(bytes),
  mimeType,
});

const toInstance = (prompt: string, inputs: readonly LoadedInput[]) => {
  const findInput = (role: LoadedInput['role']) => inputs.find((input) => input.role === role);
  const first = findInput('first_frame');
  const last = findInput('last_frame');
  const references = inputs.filter(({ role }) => role === 'reference');
  return {
    ...(prompt === '' ? {} : { prompt }),
    ...(first ? { image: toImage(first) } : {}),
    ...(last ? { lastFrame: toImage(last) } : {}),
    ...(references.length > 0
      ? { referenceImages: references.map((input) => ({ image: toImage(input), referenceType: 'asset' })) }
      : {}),
  };
};

const toRequestBody = (request: TaskRequest, inputs: readonly LoadedInput[]) => ({
  instances: [toInstance(request.prompt, inputs)],
  parameters: {
    sampleCount: 1,
    durationSeconds: request.seconds,
    aspectRatio: request.aspectRatio,
    resolution: request.resolution,
    negativePrompt: request.negativePrompt,
    seed: request.seed,
  },
});

const CALL_TIMEOUTS_MS = { submit: SUBMIT_TIMEOUT, check: CHECK_TIMEOUT_MS };

export const geminiVideos = (
  client: GeminiClient,
  fileTimeoutMs: number,
  timeoutsMs: Readonly<Record<'submit' | 'check', number>> = CALL_TIMEOUTS_MS,
): VideoGenerator => {
  const readOperation = async (name: string): Promise<Operation> => {
    const answer = await client.call(`v1beta/${name}`, {
      timeoutMs: timeoutsMs.check,
      maxBytes: MAX_OPERATION_BYTES,
    });
    const parsed = operationSchema.safeParse(answer);
    if (!parsed.success) throw new UpstreamError('failing', 'The generator sent an unreadable operation.');
    return parsed.data;
  };

  return {
    submit: async (request, inputs) => {
      const answer = await client.call(
        `v1beta/models/${client.modelName(request.model)}:predictLongRunning`,
        {
          body: toRequestBody(request, inputs),
          timeoutMs: timeoutsMs.submit,
          maxBytes: 1_000_000,
        },
      );
      const parsed = startedSchema.safeParse(answer);
      if (!parsed.success)
        throw new UpstreamError('unanswered', 'The generator answered without naming an operation.');
      return parsed.data.name;
    },

    check: async (operation) => toOperationState(await readOperation(operation), client),

    open: async (operation, source) => {
      if (source.kind === 'address') return client.download(source.uri, fileTimeoutMs);
      const encoded = readVideos(await readOperation(operation))[0]?.encodedVideo;
      if (encoded === undefined)
        throw new UpstreamError('rejected', 'The generator no longer has the video.');
      return inChunks(Buffer.from(encoded, 'base64'));
    },
  };
};

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += 65_536) yield bytes.subarray(offset, offset + 65_536);
}
