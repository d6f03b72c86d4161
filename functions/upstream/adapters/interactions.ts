import { UpstreamError } from '../domain/faults.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { geminiServer } from './gemini.ts';
import { readInteraction, toInteraction } from './interaction-format.ts';
import type { ModelName } from './probe.ts';
import type { UpstreamServer } from './upstream-connection.ts';
import type { vertexServer } from './vertex.ts';
import { CALL_TIMEOUTS_MS, MAX_STARTED_BYTES, readStarted, requireOperation } from './video-format.ts';

/** Google's Interactions API, through the Gemini API or Vertex AI. */

type InteractionsServer = Pick<UpstreamServer, 'call' | 'stream' | 'download' | 'storedAddress'> & {
  /** The path of all interactions. */
  readonly path: string;
  readonly removeVideo: (uri: string, timeoutMs: number) => Promise<void>;
};

const GEMINI_FILE = /\/(v1beta\/files\/[a-z0-9-]{1,100}):download\b/;

export const geminiInteractions = (server: ReturnType<typeof geminiServer>): InteractionsServer => ({
  ...server,
  path: 'v1beta/interactions',
  removeVideo: async (uri, timeoutMs) => {
    const file = GEMINI_FILE.exec(uri)?.[1];
    if (file !== undefined) await removed(server.stream(file, { method: 'DELETE', timeoutMs }));
  },
});

type Place = { readonly project: string; readonly location: string };

export const vertexInteractions = (
  { project, location }: Place,
  server: ReturnType<typeof vertexServer>,
): InteractionsServer => ({
  ...server,
  path: `v1beta1/projects/${project}/locations/${location}/interactions`,
  storedAddress: (uri) => uri,
  removeVideo: server.remove,
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

type Options = {
  readonly modelName: ModelName;
  /** Where Vertex AI stores videos; the Gemini API has its own files. */
  readonly storageUri?: string | undefined;
};

export const interactionVideos =
  ({ path, call, stream, download, storedAddress, removeVideo }: InteractionsServer, options: Options) =>
  (fileTimeoutMs: number, timeoutsMs = CALL_TIMEOUTS_MS): VideoGenerator => {
    const pathOf = (operation: string): string => `${path}/${requireOperation(operation, INTERACTION_ID)}`;
    return {
      submit: async (request, inputs) => {
        const answer = await call(path, {
          body: toInteraction(options.modelName(request.model), request, inputs, options.storageUri),
          namesModel: true,
          timeoutMs: timeoutsMs.submit,
          maxBytes: MAX_STARTED_BYTES,
        });
        return readStarted(answer, INTERACTION_ID, 'id');
      },

      check: async (operation) => {
        const path = pathOf(operation);
        try {
          return await readInteraction(await stream(path, { timeoutMs: timeoutsMs.check }), storedAddress);
        } catch (error) {
          // For some days in October 2026, valid polls got 400 at random.
          if (error instanceof UpstreamError && error.httpStatus === 400 && !isUnknown(error))
            throw new UpstreamError('failing', error.message, { httpStatus: 400, cause: error });
          throw error;
        }
      },

      open: async (_, source) => {
        if (source.kind !== 'address')
          throw new UpstreamError('rejected', 'The interaction has no video file.');
        return download(source.uri, fileTimeoutMs);
      },

      // Google keeps interactions with their images for up to 55 days, and files for two.
      discard: async (operation, source) => {
        const timeoutMs = timeoutsMs.check;
        if (source.kind === 'address') await removeVideo(source.uri, timeoutMs);
        await removed(stream(pathOf(operation), { method: 'DELETE', timeoutMs }));
      },

      cancel: async (operation) => {
        await removed(stream(`${pathOf(operation)}/cancel`, { body: {}, timeoutMs: timeoutsMs.check }));
      },
    };
  };
