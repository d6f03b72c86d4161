import { IMAGE_MODEL, MODELS } from '../catalogue/domain/models.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import type { Credential } from './adapters/credentials.ts';
import { geminiClient, geminiImages } from './adapters/gemini.ts';
import { googleToken } from './adapters/google-token.ts';
import { interactionsClient } from './adapters/interactions.ts';
import { openAiClient, openAiImages } from './adapters/openai.ts';
import { openRouterClient, openRouterImages } from './adapters/openrouter.ts';
import type { ModelName, UpstreamClient } from './adapters/probe.ts';
import { vertexClient, vertexImages } from './adapters/vertex.ts';
import { UpstreamError } from './domain/faults.ts';
import type { ImageGenerator } from './domain/image-request.ts';
import { theirName } from './domain/model-names.ts';
import type { Upstream } from './domain/upstreams.ts';

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

export const createClient = (
  upstream: Upstream,
  credential: Credential,
  signer?: AwsSigner,
): UpstreamClient => {
  const access = accessTo(upstream, credential, signer);
  switch (upstream.kind) {
    case 'gemini':
      return geminiClient({ ...upstream, ...access });
    case 'vertex':
      return vertexClient({ ...upstream, ...access });
    case 'interactions':
      return interactionsClient({ ...upstream, ...access });
    case 'openrouter':
      return openRouterClient({ ...upstream, ...access });
    case 'openai':
      return openAiClient({ ...upstream, ...access });
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

/** Looks up each of our models that the upstream serves, without charge. Fails if the credential does not work. */
export const probeUpstream = async (
  upstream: Upstream,
  credential: Credential,
  signer: AwsSigner,
  timeoutMs: number,
) => {
  const client = createClient(upstream, credential, signer);
  await client.verify(timeoutMs);
  return Promise.all(
    MODELS.flatMap((model) => {
      const name = theirName(upstream, model);
      if (name === undefined) return [];
      const medium = model === IMAGE_MODEL ? 'image' : 'video';
      return [client.probe(name, timeoutMs, medium).then((result) => ({ model, name, result }))];
    }),
  );
};
