import * as z from 'zod/mini';
import { UpstreamError, upstreamMessage } from '../domain/faults.ts';
import {
  type GenerationRequest,
  type LoadedInput,
  type OperationState,
  SUBMIT_TIMEOUT,
  type VideoError,
  type VideoErrorCode,
  type VideoGenerator,
  type VideoSource,
} from '../domain/video-generator.ts';
import { Base64Decoder, type JsonEvent, scanJson } from './base64-json.ts';
import { lenient, lenientCount } from './lenient.ts';
import { Base64 } from './request-bodies.ts';
import type { UpstreamServer } from './upstream-connection.ts';

/** The format of video requests and operations, which the kinds of upstreams share. */

export type CallTimeouts = Readonly<Record<'submit' | 'check', number>>;
export const CALL_TIMEOUTS_MS: CallTimeouts = { submit: SUBMIT_TIMEOUT, check: 30_000 };

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

const toVideoRequest = (
  request: GenerationRequest,
  inputs: readonly LoadedInput[],
  more: Readonly<Record<string, unknown>> = {},
) => ({
  instances: [toInstance(request.prompt, inputs)],
  parameters: {
    sampleCount: 1,
    durationSeconds: request.seconds,
    aspectRatio: request.aspectRatio,
    resolution: request.resolution,
    negativePrompt: request.negativePrompt,
    seed: request.seed,
    ...more,
  },
});

type Submit = Pick<Parameters<UpstreamServer['call']>[1], 'body' | 'headers'> & { readonly path: string };

/** How a kind of upstream makes videos. */
type VideoProtocol = {
  /** The form of its operations: one becomes a part of a path, and may be of another upstream with the same name. */
  readonly operationName: RegExp;
  /** The fields that can name an operation in the response to its submit. */
  readonly nameFields: readonly string[];
  readonly submit: (...given: Parameters<VideoGenerator['submit']>) => Submit;
  readonly check: (operation: string, timeoutMs: number) => Promise<OperationState>;
  readonly open: (
    operation: string,
    source: VideoSource,
    timeoutMs: number,
  ) => Promise<AsyncIterable<Uint8Array>>;
  readonly discard?: (operation: string, source: VideoSource, timeoutMs: number) => Promise<void>;
  readonly cancel?: (operation: string, timeoutMs: number) => Promise<void>;
};

/** Both are stored with the task, whose item has little room. */
const MAX_NAME = 1024;
const MAX_ADDRESS = 8192;

const withShortAddress = (state: OperationState): OperationState => {
  if (state.state === 'done' && state.source.kind === 'address' && state.source.uri.length > MAX_ADDRESS)
    throw new UpstreamError('rejected', 'The generator returned a file address that is too long.');
  return state;
};

const startedSchema = z.record(z.string(), z.unknown());

export const videoClient = (
  { call }: Pick<UpstreamServer, 'call'>,
  { operationName, nameFields, submit, check, open, discard, cancel }: VideoProtocol,
) => {
  const isOperation = (name: unknown): name is string =>
    typeof name === 'string' && name.length <= MAX_NAME && operationName.test(name);
  const require = (operation: string): string => {
    if (isOperation(operation)) return operation;
    throw new UpstreamError('rejected', 'The operation is not one of this upstream.');
  };
  return (fileTimeoutMs: number, timeoutsMs = CALL_TIMEOUTS_MS): VideoGenerator => ({
    submit: async (...given) => {
      const { path, ...sent } = submit(...given);
      const answer = await call(path, { ...sent, namesModel: true, timeoutMs: timeoutsMs.submit });
      const started = startedSchema.safeParse(answer).data ?? {};
      const operation = nameFields.map((name) => started[name]).find((value) => value !== undefined);
      if (isOperation(operation)) return operation;
      // The upstream may have started it nevertheless.
      throw new UpstreamError('unanswered', 'The generator answered without naming an operation.');
    },
    check: async (operation) => withShortAddress(await check(require(operation), timeoutsMs.check)),
    open: async (operation, source) => open(require(operation), source, fileTimeoutMs),
    discard: async (operation, source) => discard?.(require(operation), source, timeoutsMs.check),
    cancel: async (operation) => cancel?.(require(operation), timeoutsMs.check),
  });
};

const filterFields = {
  raiMediaFilteredReasons: lenient(z.array(z.string()), []),
  raiMediaFilteredCount: lenientCount,
};
const geminiVideo = z.object({ uri: z.optional(z.string()), encodedVideo: z.optional(z.string()) });
const vertexVideo = z.object({ gcsUri: z.optional(z.string()), bytesBase64Encoded: z.optional(z.string()) });
const operationSchema = z.object({
  done: z.optional(z.boolean()),
  error: z.optional(z.object({ code: lenient(z.number(), 13), message: lenient(z.string(), '') })),
  response: z.optional(
    z.object({
      ...filterFields,
      videos: z._default(z.array(vertexVideo), []),
      generateVideoResponse: z.optional(
        z.object({
          ...filterFields,
          generatedSamples: z._default(z.array(z.object({ video: z.optional(geminiVideo) })), []),
        }),
      ),
    }),
  ),
});
type Operation = z.infer<typeof operationSchema>;

const readVideos = ({ response }: Operation) => [
  ...(response?.generateVideoResponse?.generatedSamples ?? []).flatMap(({ video }) =>
    video === undefined ? [] : [{ uri: video.uri, inline: video.encodedVideo }],
  ),
  ...(response?.videos ?? []).map((video) => ({ uri: video.gcsUri, inline: video.bytesBase64Encoded })),
];

/** Other google.rpc codes mean upstream_unavailable. */
const RPC_CODES: Readonly<Record<number, VideoErrorCode>> = { 3: 'upstream_rejected', 8: 'rate_limited' };

const toTaskError = ({ error, response }: Operation): VideoError => {
  if (error !== undefined)
    return {
      code: RPC_CODES[error.code] ?? 'upstream_unavailable',
      message: upstreamMessage(error.message, 'The generator failed.'),
    };
  const result = response?.generateVideoResponse ?? response;
  if (result !== undefined && result.raiMediaFilteredCount + result.raiMediaFilteredReasons.length > 0)
    return {
      code: 'content_blocked',
      message: upstreamMessage(result.raiMediaFilteredReasons.join(' '), 'The generator filtered the video.'),
    };
  return { code: 'upstream_unavailable', message: 'The generator finished without a video.' };
};

const toOperationState = (operation: Operation, toAddress: (uri: string) => string): OperationState => {
  if (operation.done !== true) return { state: 'pending' };
  // An operation with an error has failed, even if it contains a video.
  const video = operation.error === undefined ? readVideos(operation)[0] : undefined;
  if (video?.uri !== undefined)
    return { state: 'done', source: { kind: 'address', uri: toAddress(video.uri) } };
  if (video?.inline !== undefined) return { state: 'done', source: { kind: 'inline' } };
  return { state: 'failed', error: toTaskError(operation) };
};

/** The keys under which an operation can contain a whole video. */
const VIDEO_KEYS = ['encodedVideo', 'bytesBase64Encoded'];
const MAX_TEXT = 1_000_000;

export const unreadableOperation = (cause?: unknown): UpstreamError =>
  cause instanceof UpstreamError
    ? cause
    : new UpstreamError('failing', 'The generator sent an unreadable operation.', { cause });

const scanOperation = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonEvent> {
  try {
    yield* scanJson(body, VIDEO_KEYS, MAX_TEXT);
  } catch (error) {
    throw unreadableOperation(error);
  }
};

const parseOperation = (document: string): Operation => {
  try {
    return operationSchema.parse(JSON.parse(document));
  } catch (error) {
    throw unreadableOperation(error);
  }
};

/** Reads the state of an operation. The response is closed where a video begins, so that it is not downloaded. */
export const readOperationState = async (
  body: AsyncIterable<Uint8Array>,
  toAddress: (uri: string) => string,
): Promise<OperationState> => {
  let hasVideo = false;
  for await (const event of scanOperation(body)) {
    if (event.kind === 'end') return toOperationState(parseOperation(event.document), toAddress);
    if (event.kind !== 'value' || hasVideo) continue;
    hasVideo = true;
    const operation = parseOperation(event.document());
    // The order of the fields is not fixed: without `done` the rest must be read.
    if (operation.done === true) return toOperationState(operation, toAddress);
  }
  throw unreadableOperation();
};

/** Decodes the first video in an operation while it is received. */
export const openInlineVideo = async (
  body: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> => {
  const events = scanOperation(body);
  // The pieces of a value come after its beginning.
  const { value: first } = await events.next();
  if (first?.kind !== 'value') throw new UpstreamError('rejected', 'The generator no longer has the video.');
  return decodedVideo(events);
};

async function* decodedVideo(events: AsyncIterable<JsonEvent>): AsyncGenerator<Uint8Array> {
  const decoder = new Base64Decoder();
  try {
    for await (const event of events) {
      if (event.kind !== 'piece' && event.kind !== 'value-end') continue;
      const bytes = event.kind === 'piece' ? decoder.take(event.text) : decoder.finish();
      if (bytes.length > 0) yield bytes;
      if (event.kind === 'value-end') return;
    }
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError('failing', 'The generator sent an unreadable video.', { cause: error });
  }
}

type NativeServer = Pick<UpstreamServer, 'call' | 'storedAddress'> & {
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
  /** Deletes a video; absent if the upstream does it itself. */
  readonly remove?: (uri: string, timeoutMs: number) => Promise<void>;
  readonly modelPath: (model: string) => string;
  readonly operationName: RegExp;
  readonly readOperation: (operation: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

/** Videos by the protocol of Google's long-running operations. */
export const nativeVideos = ({ remove, readOperation, ...server }: NativeServer) =>
  videoClient(server, {
    operationName: server.operationName,
    nameFields: ['name'],
    submit: (request, inputs) => ({
      path: `${server.modelPath(request.model)}:predictLongRunning`,
      body: toVideoRequest(request, inputs, server.parameters),
    }),
    check: async (operation, timeoutMs) =>
      readOperationState(await readOperation(operation, timeoutMs), server.storedAddress),
    open: async (operation, source, timeoutMs) =>
      source.kind === 'address'
        ? server.download(source.uri, timeoutMs)
        : openInlineVideo(await readOperation(operation, timeoutMs)),
    discard: async (_, source, timeoutMs) => {
      if (source.kind === 'address') await remove?.(source.uri, timeoutMs);
    },
  });
