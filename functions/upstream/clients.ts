import { IMAGE_MODEL, MODELS } from '../catalogue/domain/models.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import type { Credential } from './adapters/credentials.ts';
import { geminiClient, geminiServer } from './adapters/gemini.ts';
import { googleToken } from './adapters/google-token.ts';
import { geminiInteractions, interactionVideos, vertexInteractions } from './adapters/interactions.ts';
import { openAiClient } from './adapters/openai.ts';
import { openRouterClient } from './adapters/openrouter.ts';
import type { ModelName, Probe, UpstreamClient } from './adapters/upstream-client.ts';
import { vertexClient, vertexServer } from './adapters/vertex.ts';
import { UpstreamError } from './domain/faults.ts';
import { theirName } from './domain/model-names.ts';
import type { Upstream } from './domain/upstreams.ts';

/** The clients of all kinds of upstreams. */

const modelNames =
  (upstream: Upstream): ModelName =>
  (model) => {
    const name = theirName(upstream, model);
    if (name !== undefined) return name;
    throw new UpstreamError('operator', `The upstream "${upstream.name}" has no name for ${model}.`);
  };

const GEMINI_API = 'https://generativelanguage.googleapis.com';

type Interactions = Extract<Upstream, { readonly kind: 'interactions' }>;

/** Reached like the Gemini API, or in a project like Vertex AI. */
const interactionsClient = (
  upstream: Interactions,
  credential: Credential,
  signer: AwsSigner | undefined,
): UpstreamClient => {
  const { name, project, location, baseUrl = GEMINI_API } = upstream;
  const options = { modelName: modelNames(upstream), storageUri: upstream.storageUri };
  // The settings give this kind no image model, so that it gets no image requests.
  const images = {
    generate: async () => {
      throw new UpstreamError('operator', `The upstream "${name}" makes no images.`);
    },
  };
  if (project === undefined) {
    const server = geminiServer({ ...upstream, baseUrl, credential, fetch });
    return { ...server, videos: interactionVideos(geminiInteractions(server), options), images };
  }
  const place = { project, location };
  const token = googleToken({ credential, fetch, signer: signer ?? lambdaSigner() });
  const server = vertexServer({ ...upstream, ...place, token, fetch });
  return { ...server, videos: interactionVideos(vertexInteractions(place, server), options), images };
};

/** Without a signer, the function's own role is used where a credential needs it. */
export const createClient = (
  upstream: Upstream,
  credential: Credential,
  signer?: AwsSigner,
): UpstreamClient => {
  const modelName = modelNames(upstream);
  switch (upstream.kind) {
    case 'gemini':
      return geminiClient({ ...upstream, modelName, credential, fetch });
    case 'vertex': {
      const token = googleToken({ credential, fetch, signer: signer ?? lambdaSigner() });
      return vertexClient({ ...upstream, modelName, token, fetch });
    }
    case 'interactions':
      return interactionsClient(upstream, credential, signer);
    case 'openrouter':
      return openRouterClient({ ...upstream, modelName, credential, fetch });
    case 'openai':
      return openAiClient({ ...upstream, modelName, credential, fetch });
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
  const client = createClient(upstream, credential, signer);
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
