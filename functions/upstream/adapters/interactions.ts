import { UpstreamError } from '../domain/faults.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { GeminiClient } from './gemini.ts';
import { readInteraction, readInteractionId, toInteraction } from './interaction-format.ts';
import type { ModelName } from './probe.ts';
import type { Call, LimitedCall } from './upstream-connection.ts';
import type { VertexClient } from './vertex.ts';
import { CALL_TIMEOUTS_MS, MAX_STARTED_BYTES } from './video-format.ts';

/** Google's Interactions API, through the Gemini API or Vertex AI. */

type InteractionsClient = {
  /** The path of all interactions. */
  readonly path: string;
  readonly modelName: ModelName;
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  readonly stream: (path: string, call: Call) => Promise<AsyncIterable<Uint8Array>>;
  /** Where Vertex AI stores videos; the Gemini API has its own files. */
  readonly storageUri: string | undefined;
  /** The form in which the address of a video is stored. */
  readonly storedAddress: (uri: string) => string;
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly removeVideo: (uri: string, timeoutMs: number) => Promise<void>;
};

const GEMINI_FILE = /\/(v1beta\/files\/[a-z0-9-]{1,100}):download\b/;

export const geminiInteractions = ({
  modelName,
  call,
  stream,
  storedAddress,
  download,
}: GeminiClient): InteractionsClient => ({
  path: 'v1beta/interactions',
  modelName,
  call,
  stream,
  storageUri: undefined,
  storedAddress,
  download,
  removeVideo: async (uri, timeoutMs) => {
    const file = GEMINI_FILE.exec(uri)?.[1];
    if (file !== undefined) await removed(stream(file, { method: 'DELETE', timeoutMs }));
  },
});

type Place = { readonly project: string; readonly location: string };

export const vertexInteractions = (
  { project, location }: Place,
  { modelName, call, stream, storageUri, download, remove }: VertexClient,
): InteractionsClient => ({
  path: `v1beta1/projects/${project}/locations/${location}/interactions`,
  modelName,
  call,
  stream,
  storageUri,
  storedAddress: (uri) => uri,
  download,
  removeVideo: remove,
});

/** The answer for an id that the upstream does not have is 400, not 404. */
const isUnknown = ({ httpStatus, message }: UpstreamError): boolean =>
  httpStatus === 404 || (httpStatus === 400 && /invalid interaction name/i.test(message));

/** Reads an answer without content; what is gone already counts as deleted. */
const removed = async (answer: Promise<AsyncIterable<Uint8Array>>): Promise<void> => {
  try {
    await Array.fromAsync(await answer);
  } catch (error) {
    if (!(error instanceof UpstreamError && isUnknown(error))) throw error;
  }
};

const INTERACTION_ID = /^[\w-]{1,256}$/;

const requireId = (operation: string): string => {
  if (INTERACTION_ID.test(operation)) return operation;
  throw new UpstreamError('rejected', 'The operation is not an interaction.');
};

export const interactionVideos = (
  client: InteractionsClient,
  fileTimeoutMs: number,
  timeoutsMs = CALL_TIMEOUTS_MS,
): VideoGenerator => ({
  submit: async (request, inputs) => {
    const answer = await client.call(client.path, {
      body: toInteraction(client.modelName(request.model), request, inputs, client.storageUri),
      namesModel: true,
      timeoutMs: timeoutsMs.submit,
      maxBytes: MAX_STARTED_BYTES,
    });
    return readInteractionId(answer, INTERACTION_ID);
  },

  check: async (operation) => {
    const path = `${client.path}/${requireId(operation)}`;
    try {
      return await readInteraction(
        await client.stream(path, { timeoutMs: timeoutsMs.check }),
        client.storedAddress,
      );
    } catch (error) {
      // For some days in October 2026, valid polls got 400 at random.
      if (error instanceof UpstreamError && error.httpStatus === 400 && !isUnknown(error))
        throw new UpstreamError('failing', error.message, { httpStatus: 400, cause: error });
      throw error;
    }
  },

  open: async (_, source) => {
    if (source.kind !== 'address') throw new UpstreamError('rejected', 'The interaction has no video file.');
    return client.download(source.uri, fileTimeoutMs);
  },

  // Google keeps interactions with their images for up to 55 days, and files for two.
  discard: async (operation, source) => {
    const timeoutMs = timeoutsMs.check;
    if (source.kind === 'address') await client.removeVideo(source.uri, timeoutMs);
    await removed(client.stream(`${client.path}/${requireId(operation)}`, { method: 'DELETE', timeoutMs }));
  },

  cancel: async (operation) => {
    const path = `${client.path}/${requireId(operation)}/cancel`;
    await removed(client.stream(path, { body: {}, timeoutMs: timeoutsMs.check }));
  },
});
