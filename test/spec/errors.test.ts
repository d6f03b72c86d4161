import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readError } from '../support/http.ts';
import { dataUri, PNG } from '../support/images.ts';
import { assertRefused, createJson, failedVideo } from './requests.ts';

describe('errors', { concurrency: 3 }, () => {
  test('`negativePrompt` is sent together with reference images: `Negative prompt is not supported in your use case`.', async () => {
    const answer = await createJson({
      negativePrompt: 'rain',
      reference_images: [dataUri(PNG, 'image/png')],
    });
    assertRefused(answer, 'negativePrompt', 'INVALID_ARGUMENT');
    assert.equal(readError(answer).message, 'Negative prompt is not supported in your use case');
  });

  test('Task fails: status `failed`, with the reason.', async () => {
    const { body } = await failedVideo();
    assert.equal(body.status, 'failed');
    assert.equal(Reflect.get(Object(body.error), 'code'), 'upstream_rejected');
  });
});
