import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ImageGenerator, ImageGenerators } from '../images/domain/image-request.ts';
import { secretReader } from '../platform/aws/secret.ts';
import type { Clock, Logger } from '../platform/domain/log-events.ts';
import { MODELS } from '../platform/domain/models.ts';
import type { Environment } from '../platform/runtime/environment.ts';
import type { VideoGenerator, VideoGenerators } from '../videos/domain/media.ts';
import { type Credential, upstreamCredentials } from './adapters/credentials.ts';
import { dynamoPool } from './adapters/dynamo-pool.ts';
import { geminiClient } from './adapters/gemini-client.ts';
import { geminiImages } from './adapters/gemini-images.ts';
import { geminiVideos } from './adapters/gemini-videos.ts';
import { onlyUpstream, sharedPool, type UpstreamPool } from './domain/pool.ts';
import { UpstreamError, upstreamPauses } from './domain/upstream.ts';
import type { Upstream, UpstreamReference } from './domain/upstreams.ts';
import { type UPSTREAMS, upstreamSchema } from './settings.ts';

type UpstreamEnvironment = Environment<typeof UPSTREAMS>;

type Observation = { readonly logger: Logger; readonly now: Clock };
type Observed = <Answer>(call: string, work: () => Promise<Answer>) => Promise<Answer>;

/** Logs the duration and the fault of a call to an upstream, but never its messages. */
const observe =
  ({ logger, now }: Observation, upstream: string): Observed =>
  async (call, work) => {
    const started = now();
    try {
      const answer = await work();
      logger.info('upstream answered', { upstream, call, milliseconds: now() - started });
      return answer;
    } catch (error) {
      const { fault, httpStatus } =
        error instanceof UpstreamError ? error : { fault: 'internal', httpStatus: undefined };
      const milliseconds = now() - started;
      logger.info('upstream call failed', { upstream, call, fault, httpStatus, milliseconds });
      throw error;
    }
  };

const modelNames = ({ models }: Upstream): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(models).flatMap(([ours, theirs]) => (theirs === null ? [] : [[ours, theirs]])),
  );

const createVideos = (upstream: Upstream, credential: Credential, fileTimeoutMs: number): VideoGenerator => {
  const models = modelNames(upstream);
  if (upstream.kind === 'gemini')
    return geminiVideos(geminiClient({ ...upstream, models, credential, fetch }), fileTimeoutMs);
  throw new Error(`upstream kind ${upstream.kind}`);
};

const createImages = (upstream: Upstream, credential: Credential): ImageGenerator => {
  const models = modelNames(upstream);
  if (upstream.kind === 'gemini')
    return geminiImages(geminiClient({ ...upstream, models, credential, fetch }));
  throw new Error(`upstream kind ${upstream.kind}`);
};

/** Creates the client of an upstream when it is first needed. A removed upstream is known from its tasks alone. */
const clients = <Client>(
  { UPSTREAMS: upstreams, UPSTREAM_SECRET_ARN }: UpstreamEnvironment,
  create: (upstream: Upstream, credential: Credential) => Client,
): ((reference: UpstreamReference) => Client) => {
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

export const createVideoGenerators = (
  environment: UpstreamEnvironment,
  fileTimeoutMs: number,
  observation: Observation,
): VideoGenerators => {
  const at = clients(environment, (upstream, credential) => ({
    generator: createVideos(upstream, credential, fileTimeoutMs),
    observed: observe(observation, upstream.name),
  }));
  return {
    submit: async (request, inputs, upstream) => {
      const { generator, observed } = at(upstream);
      return observed('submit', () => generator.submit(request, inputs));
    },
    check: async (operation, upstream) => {
      const { generator, observed } = at(upstream);
      return observed('check', () => generator.check(operation));
    },
    open: async (operation, source, upstream) => {
      const { generator, observed } = at(upstream);
      return observed('open', () => generator.open(operation, source));
    },
  };
};

export const createImageGenerators = (
  environment: UpstreamEnvironment,
  observation: Observation,
): ImageGenerators => {
  const at = clients(environment, (upstream, credential) => ({
    generator: createImages(upstream, credential),
    observed: observe(observation, upstream.name),
  }));
  return {
    generate: async (request, options, upstream) => {
      const { generator, observed } = at(upstream);
      return observed('image', () => generator.generate(request, options));
    },
  };
};

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
