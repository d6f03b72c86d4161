import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { imageLinks, imageService } from '../../../functions/images/image-service.ts';
import { GENERATED_IMAGE } from '../../support/builders/requests.ts';

test('an image times out before its function does, which has 300 seconds', () => {
  const { timeoutMs, retryDelayMs } = imageService(new DynamoDBClient({ region: 'us-east-1' }), {
    KEY_TABLE: 'keys',
    ACCOUNT_REQUESTS_PER_SECOND: undefined,
    MEMBER_TABLE: 'members',
    CHARGE_TABLE: 'charges',
    USAGE_TABLE: 'usage',
    ACCOUNT_TABLE: 'accounts',
    RESERVATION_TABLE: 'reservations',
    ACCOUNT_LIMITS: {},
    UPSTREAMS: [
      {
        name: 'default',
        kind: 'gemini',
        baseUrl: 'https://upstream.test',
        keyHeader: 'x-key',
        models: {},
        priority: 1,
        weight: 1,
      },
    ],
    UPSTREAM_TABLE: '',
    UPSTREAM_SECRET_ARN: 'arn',
    FILE_TABLE: 'files',
    MEDIA_BUCKET: 'media',
    UPSTREAM_REQUEST_MEGABYTES: 20,
    IMAGE_RETENTION_SECONDS: 3600,
    PRICES: { currency: 'USD', videoSecond: {}, image: {} },
  });
  assert.deepEqual([timeoutMs, retryDelayMs], [270_000, 1000]);
});

describe('the response format', () => {
  const stored = imageLinks({ MEDIA_BUCKET: 'media', IMAGE_RETENTION_SECONDS: 3600 });
  const notStored = imageLinks({ MEDIA_BUCKET: 'media', IMAGE_RETENTION_SECONDS: undefined });

  test('b64_json leaves the image as it is', async () => {
    for (const links of [stored, notStored])
      assert.equal(await links('b64_json')(GENERATED_IMAGE), GENERATED_IMAGE);
  });

  test('url is rejected if images are not stored', () => {
    assert.throws(() => notStored('url'), {
      code: 'invalid_request',
      param: 'response_format',
      message: /^response_format must be b64_json: images are not stored/,
    });
  });
});
