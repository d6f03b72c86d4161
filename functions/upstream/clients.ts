import { IMAGE_MODEL, MODELS } from '../catalogue/domain/models.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import type { Credential } from './adapters/credentials.ts';
import { geminiImages, geminiServer, geminiVideos } from './adapters/gemini.ts';
import { googleToken } from './adapters/google-token.ts';
import { geminiInteractions, interactionVideos, vertexInteractions } from './adapters/interactions.ts';
import { openAiImages, openAiServer, openAiVideos } from './adapters/openai.ts';
import { openRouterImages, openRouterServer, openRouterVideos } from './adapters/openrouter.ts';
import type { ModelName, Probe, ProbedServer } from './adapters/probe.ts';
import { vertexImages, vertexServer, vertexVideos } from './adapters/vertex.ts';
import { UpstreamError } from './domain/faults.ts';
import type { ImageGenerator } from './domain/image-request.ts';
import { theirName } from './domain/model-names.ts';
import type { Upstream } from './domain/upstreams.ts';
import type { VideoGenerator } from './domain/video-generator.ts';

/** The clients of all kinds of upstreams: functions for videos, images and probes, so that a bundle has what it needs. */

const modelNames =
  (upstream: Upstream): ModelName =>
  (model) => {
    const name = theirName(upstream, model);
    if (name !== undefined) return name;
    throw new UpstreamError('operator', `The upstream "${upstream.name}" has no name for ${model}.`);
  };

const accessTo = (upstream: Upstream, credential: Credential, signer = lambdaSigner()) => ({
  modelName: modelNames(upstream),
  credential,
  token: googleToken({ credential, fetch, signer }),
  fetch,
});
type Access = ReturnType<typeof accessTo>;

const GEMINI_API = 'https://generativelanguage.googleapis.com';

type Interactions = Extract<Upstream, { readonly kind: 'interactions' }>;

/** Reached like the Gemini API, or in a project like Vertex AI. */
const interactionsServer = (upstream: Interactions, access: Access) => {
  const { project, location, baseUrl = GEMINI_API } = upstream;
  if (project === undefined) {
    const server = geminiServer({ ...upstream, ...access, baseUrl });
    return { server, interactions: geminiInteractions(server) };
  }
  const place = { project, location };
  const server = vertexServer({ ...upstream, ...access, ...place });
  return { server, interactions: vertexInteractions(place, server) };
};

export const createVideos = (
  upstream: Upstream,
  credential: Credential,
  fileTimeoutMs: number,
): VideoGenerator => {
  const access = accessTo(upstream, credential);
  switch (upstream.kind) {
    case 'gemini':
      return geminiVideos({ ...upstream, ...access })(fileTimeoutMs);
    case 'vertex':
      return vertexVideos({ ...upstream, ...access })(fileTimeoutMs);
    case 'interactions': {
      const options = { ...access, storageUri: upstream.storageUri };
      return interactionVideos(interactionsServer(upstream, access).interactions, options)(fileTimeoutMs);
    }
    case 'openrouter':
      return openRouterVideos({ ...upstream, ...access })(fileTimeoutMs);
    case 'openai':
      return openAiVideos({ ...upstream, ...access })(fileTimeoutMs);
  }
};

export const createImages = (upstream: Upstream, credential: Credential): ImageGenerator => {
  const access = accessTo(upstream, credential);
  switch (upstream.kind) {
    case 'gemini':
      return geminiImages({ ...upstream, ...access });
    case 'vertex':
      return vertexImages({ ...upstream, ...access });
    case 'interactions':
      // The settings give this kind no image model, so that it gets no image requests.
      throw new UpstreamError('operator', `The upstream "${upstream.name}" makes no images.`);
    case 'openrouter':
      return openRouterImages({ ...upstream, ...access });
    case 'openai':
      return openAiImages({ ...upstream, ...access });
  }
};

const createProbed = (upstream: Upstream, access: Access): ProbedServer => {
  switch (upstream.kind) {
    case 'gemini':
      return geminiServer({ ...upstream, ...access });
    case 'vertex':
      return vertexServer({ ...upstream, ...access });
    case 'interactions':
      return interactionsServer(upstream, access).server;
    case 'openrouter':
      return openRouterServer({ ...upstream, ...access });
    case 'openai':
      return openAiServer({ ...upstream, ...access });
  }
};

export type ProbedModel = {
  /** Our name and the upstream's. */
  readonly model: string;
  readonly name: string;
  readonly result: Probe;
};

/** Looks up each of our models that the upstream serves, without charge. Fails if the credential does not work. */
export const probeUpstream = async (
  upstream: Upstream,
  credential: Credential,
  signer: AwsSigner,
  timeoutMs: number,
): Promise<readonly ProbedModel[]> => {
  const client = createProbed(upstream, accessTo(upstream, credential, signer));
  await client.verify(timeoutMs);
  return Promise.all(
    MODELS.flatMap((model) => {
      const name = theirName(upstream, model);
      return name === undefined ? [] : [{ model, name }];
    }).map(async ({ model, name }) => ({
      model,
      name,
      result: await client.probe(name, timeoutMs, model === IMAGE_MODEL ? 'image' : 'video'),
    })),
  );
};
