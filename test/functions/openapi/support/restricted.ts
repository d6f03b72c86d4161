import { openApiDocument } from '../../../../functions/openapi/document.ts';
import { restrictDocument } from '../../../../functions/openapi/restrict-document.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { aGeminiApi, anOpenRouter, aVertex, aVideosApi } from '../../../support/builders/upstream-kinds.ts';
import type { Node } from './document.ts';

/** The document of a deployment that offers everything. */
export const TEXT = JSON.stringify(openApiDocument());

export const restrict = (...upstreams: readonly Upstream[]) =>
  JSON.parse(restrictDocument(TEXT, { upstreams }));

/** Deployments that do not offer everything. */
export const DEPLOYMENTS = {
  'Vertex AI': [aVertex()],
  OpenRouter: [anOpenRouter()],
  'a server of the Videos API': [aVideosApi('none')],
  'one video model': [aVideosApi('none', { models: { 'video-3.1-fast-generate-preview': null } })],
  'images alone': [aGeminiApi()],
  'images without options': [
    aVideosApi('none', { models: { 'image-3.1-flash-image-preview': 'gpt-image-2' } }),
  ],
  'a narrow offer': [
    aVertex({
      offers: {
        modes: ['first_frame', 'references'],
        seconds: [4, 8],
        resolutions: ['1080p'],
        aspectRatios: ['9:16'],
        seed: false,
        negativePrompt: false,
      },
    }),
  ],
  'options of different upstreams': [
    aVertex({ offers: { resolutions: ['720p'] } }),
    aVideosApi('none', { offers: { resolutions: ['1080p', '4k'], modes: ['first_frame'] } }),
  ],
} as const satisfies Readonly<Record<string, readonly Upstream[]>>;

type Body = { readonly title: string; readonly schema: Node; readonly examples: readonly unknown[] };

export const requestBodies = (document: Node): Body[] =>
  Object.values(Object(document.paths)).flatMap((operations) =>
    Object.values(Object(operations)).flatMap((operation) => {
      const { operationId, requestBody } = Object(operation);
      return Object.entries(Object(requestBody?.content)).map(([type, body]) => ({
        title: `${operationId} ${type}`,
        schema: Object(body).schema,
        examples: Object.values(Object(Object(body).examples)).map((example) => Object(example).value),
      }));
    }),
  );
