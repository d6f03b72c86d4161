import { IMAGE_MODEL, MODELS } from '../catalogue/domain/models.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import type { Credential } from './adapters/credentials.ts';
import { googleToken } from './adapters/google-token.ts';
import type { ModelName, UpstreamClient } from './adapters/probe.ts';
import { UpstreamError } from './domain/faults.ts';
import type { ImageGenerator } from './domain/image-request.ts';
import { upstreamModelName } from './domain/upstreams.ts';
import { geminiClient, geminiImages } from './kinds/gemini/adapter.ts';
import { interactionsClient } from './kinds/interactions/adapter.ts';
import type { ImageKind, Kind, Upstream } from './kinds/kinds.ts';
import { openAiClient, openAiImages } from './kinds/openai/adapter.ts';
import { openRouterClient, openRouterImages } from './kinds/openrouter/adapter.ts';
import { vertexClient, vertexImages } from './kinds/vertex/adapter.ts';

const modelNames =
  (upstream: Upstream): ModelName =>
  (model) => {
    const name = upstreamModelName(upstream, model);
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

/** The adapters of the kinds. Images have a table of their own, so that a bundle has what it needs. */
const CLIENTS: { readonly [Name in Kind]: (options: Upstream<Name> & Access) => UpstreamClient } = {
  gemini: geminiClient,
  vertex: vertexClient,
  interactions: interactionsClient,
  openrouter: openRouterClient,
  openai: openAiClient,
};
const IMAGES: { readonly [Name in ImageKind]: (options: Upstream<Name> & Access) => ImageGenerator } = {
  gemini: geminiImages,
  vertex: vertexImages,
  openrouter: openRouterImages,
  openai: openAiImages,
};

const connect = <Name extends Kind>(upstream: Upstream<Name>, access: Access): UpstreamClient =>
  CLIENTS[upstream.kind]({ ...upstream, ...access });

const connectImages = <Name extends ImageKind>(upstream: Upstream<Name>, access: Access): ImageGenerator =>
  IMAGES[upstream.kind]({ ...upstream, ...access });

export const createClient = (
  upstream: Upstream,
  credential: Credential,
  signer?: AwsSigner,
): UpstreamClient => connect(upstream, accessTo(upstream, credential, signer));

const makesImages = (upstream: Upstream): upstream is Upstream<ImageKind> => upstream.kind in IMAGES;

export const createImages = (upstream: Upstream, credential: Credential): ImageGenerator => {
  // The settings give such a kind no image model, so that it gets no image requests.
  if (!makesImages(upstream))
    throw new UpstreamError('operator', `The upstream "${upstream.name}" makes no images.`);
  return connectImages(upstream, accessTo(upstream, credential));
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
      const name = upstreamModelName(upstream, model);
      if (name === undefined) return [];
      const medium = model === IMAGE_MODEL ? 'image' : 'video';
      return [client.probe(name, timeoutMs, medium).then((result) => ({ model, name, result }))];
    }),
  );
};
