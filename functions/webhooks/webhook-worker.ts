import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { dynamoSlowSteps } from '../platform/aws/dynamo-slow-steps.ts';
import { cachedSecret, sealedText } from '../platform/aws/secret.ts';
import { slotShares } from '../platform/domain/fair-share.ts';
import {
  readEnvironment,
  text,
  WEBHOOK_QUEUE,
  WEBHOOK_SECRETS,
  wholeNumber,
} from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { dynamoWebhookDeliveries } from './adapters/dynamo-webhook-deliveries.ts';
import { dynamoWebhookEndpoints } from './adapters/dynamo-webhook-endpoints.ts';
import { sqsWebhooks, webhookQueueHandler } from './adapters/sqs-webhooks.ts';
import { createWebhookSender } from './adapters/webhook-sender.ts';
import { eventObject } from './api/webhook-object.ts';
import { deliverWebhooks } from './usecases/deliver-webhooks.ts';

export const ENVIRONMENT = {
  ...WEBHOOK_SECRETS,
  ...WEBHOOK_QUEUE,
  WEBHOOK_DELIVERY_TABLE: text,
  WEBHOOK_CONCURRENCY: wholeNumber,
};
const environment = readEnvironment(ENVIRONMENT);
/** Half the time of an invocation; an attempt takes up to 10 more seconds. */
const client = dynamoClient(20_000);
const logger = jsonLogger();

/** An item in the table of deliveries, with an endpoint id that no endpoint has. */
const SLOW_ATTEMPTS = { endpointId: 'all', id: 'slow-attempts' };

const deliverer = {
  endpoints: dynamoWebhookEndpoints(
    client,
    environment.WEBHOOK_ENDPOINT_TABLE,
    sealedText(cachedSecret(environment.WEBHOOK_SECRET_ARN)),
    logger,
  ),
  deliveries: dynamoWebhookDeliveries(client, environment.WEBHOOK_DELIVERY_TABLE, logger),
  slowSteps: dynamoSlowSteps(
    client,
    environment.WEBHOOK_DELIVERY_TABLE,
    slotShares(environment.WEBHOOK_CONCURRENCY),
    SLOW_ATTEMPTS,
  ),
  queue: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  sender: createWebhookSender(eventObject),
  logger,
  now: Date.now,
  random: Math.random,
};

export const handler = webhookQueueHandler(logger, (message) => deliverWebhooks(deliverer, message));
