import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { imageService } from '../../../functions/images/image-service.ts';

test('an image times out before its function does, which has 300 seconds', () => {
  const { timeoutMs, retryDelayMs } = imageService(new DynamoDBClient({ region: 'us-east-1' }), {
    KEY_TABLE: 'keys',
    ACCOUNT_REQUESTS_PER_SECOND: undefined,
    SESSION_TABLE: 'sessions',
    CHARGE_TABLE: 'charges',
    USAGE_TABLE: 'usage',
    ACCOUNT_TABLE: 'accounts',
    RESERVATION_TABLE: 'reservations',
    ACCOUNT_LIMITS: {},
    UPSTREAM_BASE_URL: 'https://upstream.test',
    UPSTREAM_KEY_HEADER: 'x-key',
    UPSTREAM_MODELS: {},
    UPSTREAM_SECRET_ARN: 'arn',
    MODEL_ALIASES: {},
    FILE_TABLE: 'files',
    MEDIA_BUCKET: 'media',
    UPSTREAM_REQUEST_MEGABYTES: 20,
    IMAGE_RETENTION_SECONDS: 3600,
    PRICES: { currency: 'USD', videoSecond: {}, image: {} },
  });
  assert.deepEqual([timeoutMs, retryDelayMs], [270_000, 1000]);
});
