import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoCharges } from '../adapters/dynamo-charges.ts';
import { upstreamImages } from '../adapters/upstream/upstream-images.ts';
import type { DomainError } from '../domain/errors.ts';
import type { GeneratedImage } from '../domain/image-request.ts';
import type { ENVIRONMENTS, readEnvironment } from '../runtime/environment.ts';
import { asDomainError } from '../runtime/http.ts';
import type { ImageService } from '../usecases/generate-image.ts';
import { logger } from './endpoint.ts';
import { limiterFrom } from './limiter.ts';
import { observedImages, upstreamFrom } from './upstream.ts';

export type ImageEnvironment = ReturnType<typeof readEnvironment<(typeof ENVIRONMENTS)['generate-images']>>;

/** What all image endpoints meet in. */
export const imageService = (client: DynamoDBClient, environment: ImageEnvironment): ImageService => ({
  generator: observedImages({ logger, now: Date.now }, upstreamImages(upstreamFrom(environment))),
  charges: dynamoCharges(client, environment),
  limiter: limiterFrom(client, environment),
  logger,
  now: Date.now,
  prices: environment.PRICES,
  // Less than the functions' 300 seconds, so that there is time to say that it was too long.
  timeoutMs: 270_000,
  retryDelayMs: 1000,
});

/** For a stream a failure is a value like any other: its status has gone out before. */
export const outcomeOf = (
  generated: Promise<GeneratedImage>,
  requestId: string,
): Promise<GeneratedImage | DomainError> =>
  generated.catch((error: unknown) => {
    const failure = asDomainError(error, logger);
    logger.info('stream ends with an error', { requestId, code: failure.code });
    return failure;
  });
