import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { cachedSecret, type SealedText, sealedText } from '../platform/aws/secret.ts';
import { dynamoWebhookEndpoints, dynamoWebhookSecrets } from './adapters/dynamo-webhook-endpoints.ts';
import type { WebhookEndpoints, WebhookSecrets } from './domain/webhook-stores.ts';

type Environment = { readonly WEBHOOK_ENDPOINT_TABLE: string; readonly WEBHOOK_SECRET_ARN: string };

/** The key that encrypts the secrets never changes, so it is read once. */
const sealed = (arn: string): SealedText => sealedText(cachedSecret(arn, Number.POSITIVE_INFINITY));

export const createWebhookEndpoints = (
  client: DynamoDBClient,
  { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN }: Environment,
): WebhookEndpoints =>
  dynamoWebhookEndpoints(client, WEBHOOK_ENDPOINT_TABLE, sealed(WEBHOOK_SECRET_ARN), logger);

export const createWebhookSecrets = (
  client: DynamoDBClient,
  { WEBHOOK_ENDPOINT_TABLE, WEBHOOK_SECRET_ARN, AUDIT_TABLE }: Environment & { readonly AUDIT_TABLE: string },
): WebhookSecrets =>
  dynamoWebhookSecrets(
    WEBHOOK_ENDPOINT_TABLE,
    sealed(WEBHOOK_SECRET_ARN),
    auditTrail(client, AUDIT_TABLE, logger),
  );
