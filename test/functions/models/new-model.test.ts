import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const output = execFileSync(process.execPath, [join(import.meta.dirname, 'new-model.ts')], {
  encoding: 'utf8',
});
const { models, accepted, refused, document, listed, form, price } = JSON.parse(output);

describe('a model that is one more entry of the catalogue', () => {
  test('comes after the others', () => assert.equal(models.at(-1), 'video-square-1'));

  test('makes videos with its own values', () => {
    const square = { resolution: '720p', aspectRatio: '1:1' };
    assert.deepEqual(accepted, [
      { seconds: 5, ...square },
      { seconds: 10, ...square },
    ]);
  });

  test('refuses all other values in its own words', () =>
    assert.deepEqual(refused, [
      'seconds: The duration must be one of 5, 10 seconds.',
      'size: size must be one of 720x720.',
      'seed: video-square-1 has no seed: leave it out.',
      'seconds: A request with a first frame requires 5 seconds, but 10 were requested.',
    ]));

  test('is in the OpenAPI document', () =>
    assert.deepEqual(document, { isNamed: true, hasSize: true, description: true }));

  test('is listed with its capabilities where an upstream offers it', () =>
    assert.deepEqual(listed, {
      id: 'video-square-1',
      capabilities: {
        modes: ['text', 'first_frame'],
        seconds: [5, 10],
        resolutions: ['720p'],
        aspect_ratios: ['1:1'],
        seed: false,
        negative_prompt: false,
      },
    }));

  test('has its choices in the form of the console', () => {
    const sent = Object.fromEntries(form.sent);
    assert.deepEqual([sent.model, sent.seconds, sent.size], ['video-square-1', '10', '720x720']);
    assert.deepEqual(form.seconds, { seconds: [5], reason: 'A request with a first frame' });
  });

  test('has a price', () => assert.equal(price, '0.02'));
});
