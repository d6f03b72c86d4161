import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoClient } from '../../../../functions/platform/aws/aws-clients.ts';
import { sqsClient } from '../../../../functions/platform/aws/sqs-queue.ts';
import { s3Client } from '../../../../functions/videos/adapters/s3-media.ts';

const CLIENTS = { DynamoDB: dynamoClient, S3: s3Client, SQS: sqsClient };
for (const [name, create] of Object.entries(CLIENTS))
  test(`a call to ${name} is signed, tried again and traced, and nothing is logged or advertised`, () => {
    const stack = create().middlewareStack.identify().join('\n');
    for (const kept of ['retryMiddleware', 'httpSigningMiddleware', 'recursionDetectionMiddleware'])
      assert.match(stack, new RegExp(`^${kept}`, 'm'));
    // A name that the SDK no longer knows would be left in place in silence.
    assert.doesNotMatch(stack, /logger|userAgent/i);
  });
