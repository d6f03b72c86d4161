import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoCharges } from '../adapters/dynamo-charges.ts';
import { upstreamImages } from '../adapters/upstream/upstream-images.ts';
import type { ENVIRONMENTS, readEnvironment } from '../runtime/environment.ts';
import type { ImageService } from '../usecases/generate-image.ts';
import { logger } from './endpoint.ts';
import { observedImages, upstreamFrom } from './upstream.ts';

type Environment = ReturnType<typeof readEnvironment<(typeof ENVIRONMENTS)['generate-content']>>;

/** What both image endpoints meet in. */
export const imageService = (client: DynamoDBClient, environment: Environment): ImageService => ({
  generator: observedImages({ logger, now: Date.now }, upstreamImages(upstreamFrom(environment))),
  charges: dynamoCharges(client, environment.CHARGE_TABLE),
  logger,
  now: Date.now,
  prices: environment.PRICES,
  // Less than the functions' 300 seconds, so that there is time to say that it was too long.
  timeoutMs: 270_000,
  retryDelayMs: 1000,
});
