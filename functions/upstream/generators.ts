import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { MODELS } from '../catalogue/domain/models.ts';
import { secretReader } from '../platform/aws/secret.ts';
import type { Clock, Logger } from '../platform/domain/log-events.ts';
import type { Environment } from '../platform/runtime/environment.ts';
import { type Credential, upstreamCredentials } from './adapters/credentials.ts';
import { dynamoPool } from './adapters/dynamo-pool.ts';
import { createClient, createImages } from './clients.ts';
import { failoverPool } from './domain/failover.ts';
import { UpstreamError } from './domain/faults.ts';
import type { ImageGenerator, ImageGenerators } from './domain/image-request.ts';
import { type ConvertImage, inputConverter } from './domain/input-images.ts';
import { onlyUpstream, type UpstreamPool } from './domain/pool.ts';
import { upstreamPauses } from './domain/process-pauses.ts';
import { credentialName, type Upstream, type UpstreamReference } from './domain/upstreams.ts';
import type { VideoGenerator, VideoGenerators } from './domain/video-generator.ts';
import { upstreamSchema } from './kinds/kinds.ts';
import type { UPSTREAMS } from './settings.ts';

type UpstreamEnvironment = Environment<typeof UPSTREAMS>;

type Observation = { readonly logger: Logger; readonly now: Clock };

type ObservedCall = {
  readonly call: 'submit' | 'check' | 'open' | 'image';
  readonly upstream: UpstreamReference;
  readonly model?: string;
};

/** Logs the duration and the fault of a call to an upstream, but never its messages. */
const observe = async <Answer>(
  { logger, now }: Observation,
  { call, upstream: { name: upstream }, model }: ObservedCall,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const started = now();
  try {
    const answer = await work();
    logger.info('upstream answered', { upstream, call, milliseconds: now() - started });
    return answer;
  } catch (error) {
    const known = error instanceof UpstreamError ? error : undefined;
    const { fault, httpStatus } = known ?? { fault: 'internal', httpStatus: undefined };
    if (known !== undefined) [known.upstream, known.model] = [upstream, model];
    const milliseconds = now() - started;
    logger.info('upstream call failed', { upstream, call, fault, httpStatus, milliseconds });
    throw error;
  }
};

/** A removed upstream is known from its tasks alone. */
const findUpstream = (upstreams: readonly Upstream[], { name, definition }: UpstreamReference): Upstream => {
  const upstream = upstreams.find((one) => one.name === name);
  if (upstream !== undefined) return upstream;
  if (definition === undefined)
    throw new UpstreamError('failing', `The upstream "${name}" is no longer in the settings.`);
  return upstreamSchema.parse(JSON.parse(definition));
};

/** Creates the client of an upstream when it is first needed. */
const clients = <Client>(
  { UPSTREAMS: upstreams, UPSTREAM_SECRET_ARN }: UpstreamEnvironment,
  create: (upstream: Upstream, credential: Credential) => Client,
): FindClient<Client> => {
  const credentialFor = upstreamCredentials(secretReader(UPSTREAM_SECRET_ARN), upstreams.map(credentialName));
  const created = new Map<string, Client>();
  return (reference) => {
    const known = created.get(reference.name);
    if (known !== undefined) return known;
    const upstream = findUpstream(upstreams, reference);
    const client = create(upstream, credentialFor(credentialName(upstream)));
    created.set(reference.name, client);
    return client;
  };
};

type FindClient<Client> = (reference: UpstreamReference) => Client;

export const observedVideos = (
  observation: Observation,
  find: FindClient<VideoGenerator>,
): VideoGenerators => ({
  submit: (request, inputs, idempotencyKey, upstream) =>
    observe(observation, { call: 'submit', upstream, model: request.model }, () =>
      find(upstream).submit(request, inputs, idempotencyKey),
    ),
  check: (operation, upstream) =>
    observe(observation, { call: 'check', upstream }, () => find(upstream).check(operation)),
  open: (operation, source, upstream) =>
    observe(observation, { call: 'open', upstream }, () => find(upstream).open(operation, source)),
  discard: async (operation, source, upstream) => find(upstream).discard?.(operation, source),
  cancel: async (operation, upstream) => find(upstream).cancel?.(operation),
});

export const observedImages = (
  observation: Observation,
  find: FindClient<ImageGenerator>,
): ImageGenerators => ({
  generate: (request, options, upstream) =>
    observe(observation, { call: 'image', upstream, model: request.model }, () =>
      find(upstream).generate(request, options),
    ),
});

export const createVideoGenerators = (
  environment: UpstreamEnvironment,
  { fileTimeoutMs, convert }: { readonly fileTimeoutMs: number; readonly convert: ConvertImage },
  observation: Observation,
): VideoGenerators => {
  const prepare = inputConverter(convert);
  return {
    ...observedVideos(
      observation,
      clients(environment, (...given) => createClient(...given).videos(fileTimeoutMs)),
    ),
    prepare: async (inputs, reference) => prepare(findUpstream(environment.UPSTREAMS, reference), inputs),
  };
};

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
  if (UPSTREAM_TABLE === '') return onlyUpstream(first, upstreamPauses(now), now);
  const states = dynamoPool(client, UPSTREAM_TABLE, { upstreams, models: MODELS, logger });
  return failoverPool({ upstreams, states, logger, now, random: Math.random });
};
