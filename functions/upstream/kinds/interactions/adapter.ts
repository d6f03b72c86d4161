import type { UpstreamClient } from '../../adapters/probe.ts';
import { removed } from '../../adapters/upstream-http.ts';
import { videoClient } from '../../adapters/video-format.ts';
import { UpstreamError } from '../../domain/faults.ts';
import { geminiClient } from '../gemini/adapter.ts';
import { vertexClient } from '../vertex/adapter.ts';
import { readInteraction, toInteraction } from './interaction-format.ts';

/** Google's Interactions API, with a key at the Gemini API or in a project of Vertex AI. */

const GEMINI_API = 'https://generativelanguage.googleapis.com';
const GEMINI_FILE = /\/(v1beta\/files\/[a-z0-9-]{1,100}):download\b/;

/** The answer for an id that the upstream does not have is 400, not 404. */
const isUnknown = ({ httpStatus, message }: UpstreamError): boolean =>
  httpStatus === 404 || (httpStatus === 400 && /invalid interaction name/i.test(message));

const geminiServer = (options: Parameters<typeof geminiClient>[0]) => {
  const client = geminiClient(options);
  return {
    ...client,
    path: 'v1beta/interactions',
    remove: async (uri: string, timeoutMs: number): Promise<void> => {
      const file = GEMINI_FILE.exec(uri)?.[1];
      if (file !== undefined) await removed(client.stream(file, { method: 'DELETE', timeoutMs }), isUnknown);
    },
  };
};

const vertexServer = (options: Parameters<typeof vertexClient>[0]) => ({
  ...vertexClient(options),
  path: `v1beta1/projects/${options.project}/locations/${options.location}/interactions`,
});

const INTERACTION_ID = /^[\w-]{1,256}$/;

type Options = Omit<Parameters<typeof geminiClient>[0], 'baseUrl'> &
  Omit<Parameters<typeof vertexClient>[0], 'project'> & { readonly project?: string | undefined };

export const interactionsClient = ({
  project,
  baseUrl,
  storageUri,
  modelName,
  ...options
}: Options): UpstreamClient => {
  const { path, call, stream, download, storedAddress, remove, ...client } =
    project === undefined
      ? geminiServer({ ...options, modelName, baseUrl: baseUrl ?? GEMINI_API })
      : vertexServer({ ...options, modelName, baseUrl, project });
  return {
    ...client,
    videos: videoClient(
      { call },
      {
        operationName: INTERACTION_ID,
        nameFields: ['id'],
        submit: (request, inputs) => ({
          path,
          body: toInteraction(modelName(request.model), request, inputs, storageUri),
        }),
        check: async (id, timeoutMs) => {
          try {
            return await readInteraction(await stream(`${path}/${id}`, { timeoutMs }), storedAddress);
          } catch (error) {
            // For some days in October 2026, valid polls got 400 at random.
            if (error instanceof UpstreamError && error.httpStatus === 400 && !isUnknown(error))
              throw new UpstreamError('failing', error.message, { httpStatus: 400, cause: error });
            throw error;
          }
        },
        open: async (_, source, timeoutMs) => {
          if (source.kind === 'address') return download(source.uri, timeoutMs);
          throw new UpstreamError('rejected', 'The interaction has no video file.');
        },
        // Google keeps interactions with their images for up to 55 days, and files for two.
        discard: async (id, source, timeoutMs) => {
          if (source.kind === 'address') await remove(source.uri, timeoutMs);
          await removed(stream(`${path}/${id}`, { method: 'DELETE', timeoutMs }), isUnknown);
        },
        cancel: (id, timeoutMs) =>
          removed(stream(`${path}/${id}/cancel`, { body: {}, timeoutMs }), isUnknown),
      },
    ),
  };
};
