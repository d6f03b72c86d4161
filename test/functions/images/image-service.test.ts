import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imageLinks, startHeaders } from '../../../functions/images/image-service.ts';
import { GENERATED_IMAGE } from '../../support/builders/requests.ts';

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

test('the headers of a response tell the rate limit and the ignored fields', () => {
  const rateLimit = { limit: 5, remaining: 2, resetSeconds: 60 };
  assert.deepEqual(startHeaders({ images: [], rateLimit, advice: 'send less' }, ['user', 'top_k']), {
    'x-advice': 'send less',
    'x-ratelimit-limit-requests': '5',
    'x-ratelimit-remaining-requests': '2',
    'x-ratelimit-reset-requests': '60s',
    'x-ignored-parameters': 'user, top_k',
  });
});
