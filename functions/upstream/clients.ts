import { IMAGE_MODEL, MODELS } from '../catalogue/domain/models.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import type { Credential } from './adapters/credentials.ts';
import { geminiClient, geminiImages, geminiVideos } from './adapters/gemini.ts';
import { googleToken } from './adapters/google-token.ts';
import { geminiInteractions, interactionVideos, vertexInteractions } from './adapters/interactions.ts';
import { openAiClient, openAiImages, openAiVideos } from './adapters/openai.ts';
import { openRouterClient, openRouterImages, openRouterVideos } from './adapters/openrouter.ts';
import type { ModelName, Probe, ProbedClient } from './adapters/probe.ts';
import { vertexClient, vertexImages, vertexVideos } from './adapters/vertex.ts';
import { UpstreamError } from './domain/faults.ts';
import type { ImageGenerator } from './domain/image-request.ts';
import { theirName } from './domain/model-names.ts';
import type { Upstream } from './domain/upstreams.ts';
import type { VideoGenerator } from './domain/video-generator.ts';

/** The clients of all kinds of upstreams. */

type OfKind<Kind extends Upstream['kind']> = Extract<Upstream, { readonly kind: Kind }>;

const modelName =
  (upstream: Upstream): ModelName =>
  (model) => {
    const name = theirName(upstream, model);
    if (name !== undefined) return name;
    throw new UpstreamError('operator', `The upstream "${upstream.name}" has no name for ${model}.`);
  };

const createGemini = (upstream: OfKind<'gemini'>, credential: Credential) =>
  geminiClient({ ...upstream, modelName: modelName(upstream), credential, fetch });

const createVertex = (upstream: OfKind<'vertex'>, credential: Credential, signer: AwsSigner) => {
  const token = googleToken({ credential, fetch, signer });
  return vertexClient({ ...upstream, modelName: modelName(upstream), token, fetch });
};

const GEMINI_API = 'https://generativelanguage.googleapis.com';

/** Reached like the Gemini API, or in a project like Vertex AI. */
const createInteractions = (upstream: OfKind<'interactions'>, credential: Credential, signer: AwsSigner) => {
  const { project, baseUrl = GEMINI_API } = upstream;
  const names = modelName(upstream);
  if (project === undefined) {
    const client = geminiClient({ ...upstream, baseUrl, modelName: names, credential, fetch });
    return { ...client, interactions: geminiInteractions(client) };
  }
  const place = { project, location: upstream.location };
  const token = googleToken({ credential, fetch, signer });
  const client = vertexClient({ ...upstream, ...place, modelName: names, token, fetch });
  return { ...client, interactions: vertexInteractions(place, client) };
};

const createOpenRouter = (upstream: OfKind<'openrouter'>, credential: Credential) =>
  openRouterClient({ ...upstream, modelName: modelName(upstream), credential, fetch });

const createOpenAi = (upstream: OfKind<'openai'>, credential: Credential) =>
  openAiClient({ ...upstream, modelName: modelName(upstream), credential, fetch });

export const createVideos = (
  upstream: Upstream,
  credential: Credential,
  fileTimeoutMs: number,
): VideoGenerator => {
  switch (upstream.kind) {
    case 'gemini':
      return geminiVideos(createGemini(upstream, credential), fileTimeoutMs);
    case 'vertex':
      return vertexVideos(createVertex(upstream, credential, lambdaSigner()), fileTimeoutMs);
    case 'interactions': {
      const { interactions } = createInteractions(upstream, credential, lambdaSigner());
      return interactionVideos(interactions, fileTimeoutMs);
    }
    case 'openrouter':
      return openRouterVideos(createOpenRouter(upstream, credential), fileTimeoutMs);
    case 'openai':
      return openAiVideos(createOpenAi(upstream, credential), fileTimeoutMs);
  }
};

/** The settings give this kind no image model, so that it gets no image requests. */
const noImages = ({ name }: Upstream): ImageGenerator => ({
  generate: async () => {
    throw new UpstreamError('operator', `The upstream "${name}" makes no images.`);
  },
});

export const createImages = (upstream: Upstream, credential: Credential): ImageGenerator => {
  switch (upstream.kind) {
    case 'gemini':
      return geminiImages(createGemini(upstream, credential));
    case 'vertex':
      return vertexImages(createVertex(upstream, credential, lambdaSigner()));
    case 'interactions':
      return noImages(upstream);
    case 'openrouter':
      return openRouterImages(createOpenRouter(upstream, credential));
    case 'openai':
      return openAiImages(createOpenAi(upstream, credential));
  }
};

const createProbed = (upstream: Upstream, credential: Credential, signer: AwsSigner): ProbedClient => {
  switch (upstream.kind) {
    case 'gemini':
      return createGemini(upstream, credential);
    case 'vertex':
      return createVertex(upstream, credential, signer);
    case 'interactions':
      return createInteractions(upstream, credential, signer);
    case 'openrouter':
      return createOpenRouter(upstream, credential);
    case 'openai':
      return createOpenAi(upstream, credential);
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
  const client = createProbed(upstream, credential, signer);
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
