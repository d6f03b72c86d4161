import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { logger } from '../platform/authentication/endpoint.ts';
import { cachedSecret, sealedText } from '../platform/aws/secret.ts';
import { dynamoWebhookEndpoints } from './adapters/dynamo-webhook-endpoints.ts';
import type { WebhookEndpoints } from './domain/webhook-delivery.ts';

type Environment = { readonly WEBHOOK_ENDPOINT_TABLE: string; readonly WEBHOOK_SECRET_ARN: string };

/** Endpoints with their secrets. The key that encrypts them never changes, so it is read once. */
export const createWebhookEndpoints = (
  client: DynamoDBClient,
  { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN }: Environment,
): WebhookEndpoints =>
  dynamoWebhookEndpoints(
    client,
    WEBHOOK_ENDPOINT_TABLE,
    sealedText(cachedSecret(WEBHOOK_SECRET_ARN, Number.POSITIVE_INFINITY)),
    logger,
  );
