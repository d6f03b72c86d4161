import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a model that is one more entry of the catalogue works everywhere', () => {
  const script = join(import.meta.dirname, 'new-model.ts');
  const square = { resolution: '720p', aspectRatio: '1:1' };
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })), {
    last: 'video-square-1',
    accepted: [
      { seconds: 5, ...square },
      { seconds: 10, ...square },
    ],
    refused: [
      'seconds: seconds must be one of 5, 10 seconds.',
      'size: size must be one of 720x720.',
      'seed: video-square-1 has no seed: leave it out.',
      'seconds: A request with a first frame requires 5 seconds, but 10 were requested.',
    ],
    document: { isNamed: true, hasSize: true, description: true },
    listed: {
      id: 'video-square-1',
      capabilities: {
        modes: ['text', 'first_frame'],
        seconds: [5, 10],
        seconds_by_mode: { text: [5, 10], first_frame: [5] },
        resolutions: ['720p'],
        aspect_ratios: ['1:1'],
        seed: false,
        negative_prompt: false,
      },
    },
    form: {
      model: 'video-square-1',
      seconds: '10',
      size: '720x720',
      possible: { seconds: [5], reason: 'A request with a first frame' },
    },
    price: '0.02',
  });
});
