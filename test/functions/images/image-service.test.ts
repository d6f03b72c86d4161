import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imageLinks } from '../../../functions/images/image-service.ts';
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
