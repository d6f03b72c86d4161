import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ImageGenerator, ImageGenerators } from '../images/domain/image-request.ts';
import { secretReader } from '../platform/aws/secret.ts';
import type { Clock, Logger } from '../platform/domain/log-events.ts';
import { MODELS } from '../platform/domain/models.ts';
import type { Environment } from '../platform/runtime/environment.ts';
import type { VideoGenerator, VideoGenerators } from '../videos/domain/media.ts';
import { type AwsSigner, lambdaSigner } from './adapters/aws-subject-token.ts';
import { type Credential, upstreamCredentials } from './adapters/credentials.ts';
import { dynamoPool } from './adapters/dynamo-pool.ts';
import { geminiClient, geminiImages, geminiVideos } from './adapters/gemini.ts';
import { googleToken } from './adapters/google-token.ts';
import { vertexClient, vertexImages, vertexVideos } from './adapters/vertex.ts';
import { onlyUpstream, type UpstreamPool } from './domain/pool.ts';
import { sharedPool } from './domain/shared-pool.ts';
import { UpstreamError, upstreamPauses } from './domain/upstream.ts';
import type { Upstream, UpstreamReference } from './domain/upstreams.ts';
import { type UPSTREAMS, upstreamSchema } from './settings.ts';

type UpstreamEnvironment = Environment<typeof UPSTREAMS>;

type Observation = { readonly logger: Logger; readonly now: Clock };

/** Logs the duration and the fault of a call to an upstream, but never its messages. */
const observe = async <Answer>(
  { logger, now }: Observation,
  { name: upstream }: UpstreamReference,
  call: string,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const started = now();
  try {
    const answer = await work();
    logger.info('upstream answered', { upstream, call, milliseconds: now() - started });
    return answer;
  } catch (error) {
    const { fault, httpStatus } =
      error instanceof UpstreamError ? error : { fault: 'internal', httpStatus: undefined };
    if (error instanceof UpstreamError) error.upstream = upstream;
    const milliseconds = now() - started;
    logger.info('upstream call failed', { upstream, call, fault, httpStatus, milliseconds });
    throw error;
  }
};

const modelNames = ({ models }: Upstream): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(models).flatMap(([ours, theirs]) => (theirs === null ? [] : [[ours, theirs]])),
  );

const createVertexClient = (
  upstream: Extract<Upstream, { readonly kind: 'vertex' }>,
  credential: Credential,
  signer: AwsSigner,
) => {
  const token = googleToken({ credential, fetch, signer });
  return vertexClient({ ...upstream, models: modelNames(upstream), token, fetch });
};

const createGeminiClient = (
  upstream: Extract<Upstream, { readonly kind: 'gemini' }>,
  credential: Credential,
) => geminiClient({ ...upstream, models: modelNames(upstream), credential, fetch });

const createVideos = (upstream: Upstream, credential: Credential, fileTimeoutMs: number): VideoGenerator =>
  upstream.kind === 'gemini'
    ? geminiVideos(createGeminiClient(upstream, credential), fileTimeoutMs)
    : vertexVideos(createVertexClient(upstream, credential, lambdaSigner()), fileTimeoutMs);

const createImages = (upstream: Upstream, credential: Credential): ImageGenerator =>
  upstream.kind === 'gemini'
    ? geminiImages(createGeminiClient(upstream, credential))
    : vertexImages(createVertexClient(upstream, credential, lambdaSigner()));

/** A call without charge that fails if the credential does not work. */
export const verifyUpstream = (
  upstream: Upstream,
  credential: Credential,
  signer: AwsSigner,
  timeoutMs: number,
): Promise<void> =>
  upstream.kind === 'gemini'
    ? createGeminiClient(upstream, credential).verify(timeoutMs)
    : createVertexClient(upstream, credential, signer).verify(timeoutMs);

/** Creates the client of an upstream when it is first needed. A removed upstream is known from its tasks alone. */
const clients = <Client>(
  { UPSTREAMS: upstreams, UPSTREAM_SECRET_ARN }: UpstreamEnvironment,
  create: (upstream: Upstream, credential: Credential) => Client,
): FindClient<Client> => {
  const credentialFor = upstreamCredentials(
    secretReader(UPSTREAM_SECRET_ARN),
    upstreams.map(({ name }) => name),
  );
  const created = new Map<string, Client>();
  const find = ({ name, definition }: UpstreamReference): Upstream => {
    const upstream = upstreams.find((one) => one.name === name);
    if (upstream !== undefined) return upstream;
    if (definition === undefined)
      throw new UpstreamError('failing', `The upstream "${name}" is no longer in the settings.`);
    return upstreamSchema.parse(JSON.parse(definition));
  };
  return (reference) => {
    const client = created.get(reference.name) ?? create(find(reference), credentialFor(reference.name));
    created.set(reference.name, client);
    return client;
  };
};

type FindClient<Client> = (reference: UpstreamReference) => Client;

export const observedVideos = (
  observation: Observation,
  find: FindClient<VideoGenerator>,
): VideoGenerators => ({
  submit: (request, inputs, upstream) =>
    observe(observation, upstream, 'submit', () => find(upstream).submit(request, inputs)),
  check: (operation, upstream) =>
    observe(observation, upstream, 'check', () => find(upstream).check(operation)),
  open: (operation, source, upstream) =>
    observe(observation, upstream, 'open', () => find(upstream).open(operation, source)),
  discard: async (operation, source, upstream) => find(upstream).discard?.(operation, source),
});

export const observedImages = (
  observation: Observation,
  find: FindClient<ImageGenerator>,
): ImageGenerators => ({
  generate: (request, options, upstream) =>
    observe(observation, upstream, 'image', () => find(upstream).generate(request, options)),
});

export const createVideoGenerators = (
  environment: UpstreamEnvironment,
  fileTimeoutMs: number,
  observation: Observation,
): VideoGenerators =>
  observedVideos(
    observation,
    clients(environment, (upstream, credential) => createVideos(upstream, credential, fileTimeoutMs)),
  );

export const createImageGenerators = (
  environment: UpstreamEnvironment,
  observation: Observation,
): ImageGenerators => observedImages(observation, clients(environment, createImages));

export const createPool = (
  client: DynamoDBClient,
  { UPSTREAMS: upstreams, UPSTREAM_TABLE }: Pick<UpstreamEnvironment, 'UPSTREAMS' | 'UPSTREAM_TABLE'>,
  { logger, now }: Observation,
): UpstreamPool => {
  const [first] = upstreams;
  if (first === undefined) throw new Error('the service has no upstream');
  if (UPSTREAM_TABLE === '') return onlyUpstream(first.name, upstreamPauses(now), now);
  const states = dynamoPool(client, UPSTREAM_TABLE, { upstreams, models: MODELS });
  return sharedPool({ upstreams, states, logger, now, random: Math.random });
};
