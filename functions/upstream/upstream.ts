import type { ImageGenerator } from '../images/domain/image-request.ts';
import { secretReader } from '../platform/aws/secret.ts';
import type { Clock, Logger } from '../platform/domain/log-events.ts';
import type { Environment, UPSTREAM } from '../platform/runtime/environment.ts';
import type { VideoGenerator } from '../videos/domain/media.ts';
import { upstreamCredentials } from './adapters/credentials.ts';
import { type GeminiClient, geminiClient } from './adapters/gemini-client.ts';
import { UpstreamError } from './domain/upstream.ts';

export const createUpstreamClient = (environment: Environment<typeof UPSTREAM>): GeminiClient =>
  geminiClient({
    baseUrl: environment.UPSTREAM_BASE_URL,
    keyHeader: environment.UPSTREAM_KEY_HEADER,
    credential: upstreamCredentials(secretReader(environment.UPSTREAM_SECRET_ARN), ['upstream'])('upstream'),
    models: environment.UPSTREAM_MODELS,
    fetch,
  });

type Observation = { readonly logger: Logger; readonly now: Clock };

/** Logs the duration and the fault of a call to the upstream, but never its messages. */
const observe = async <Answer>(
  { logger, now }: Observation,
  call: string,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const started = now();
  try {
    const answer = await work();
    logger.info('upstream answered', { call, milliseconds: now() - started });
    return answer;
  } catch (error) {
    const { fault, httpStatus } =
      error instanceof UpstreamError ? error : { fault: 'internal', httpStatus: undefined };
    logger.info('upstream call failed', { call, fault, httpStatus, milliseconds: now() - started });
    throw error;
  }
};

export const observedVideos = (observation: Observation, generator: VideoGenerator): VideoGenerator => ({
  submit: (request, inputs) => observe(observation, 'submit', () => generator.submit(request, inputs)),
  check: (operation) => observe(observation, 'check', () => generator.check(operation)),
  open: (operation, source) => observe(observation, 'open', () => generator.open(operation, source)),
});

export const observedImages = (observation: Observation, generator: ImageGenerator): ImageGenerator => ({
  generate: (request, options) => observe(observation, 'image', () => generator.generate(request, options)),
});
