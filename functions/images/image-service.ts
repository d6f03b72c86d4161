import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoCharges } from '../accounts/adapters/dynamo-charges.ts';
import { limiterFrom } from '../accounts/limiter.ts';
import { logger } from '../platform/authentication/endpoint.ts';
import type { DomainError } from '../platform/domain/errors.ts';
import type { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { asDomainError } from '../platform/runtime/http.ts';
import { upstreamImages } from '../upstream/adapters/upstream-images.ts';
import { observedImages, upstreamFrom } from '../upstream/upstream.ts';
import type { GeneratedImage } from './domain/image-request.ts';
import type { ImageService } from './usecases/generate-image.ts';

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
