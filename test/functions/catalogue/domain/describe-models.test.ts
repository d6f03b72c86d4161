import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeDurations,
  describeVideoModels,
} from '../../../../functions/catalogue/domain/describe-models.ts';
import { FAST, STANDARD } from '../../../support/builders/upstream.ts';

test('video models are described together if they accept the same', () => {
  const seconds = '4, 6 or 8 seconds; only 8 with 1080p, 4k or reference images';
  const formats = '720p, 1080p or 4k; default 720p. 16:9 or 9:16; default 16:9';
  const omni = 'video-omni-1.2-flash: 3 to 15 seconds; only 3 to 10 with a first and a last frame';
  const same = `${seconds}; default 8. ${formats}. Up to 3 reference images.`;
  const other = `${omni}; default 8. 360p, ${formats}. Up to 6 reference images. No seed. No negative prompt.`;
  assert.equal(describeVideoModels(), `${STANDARD} and ${FAST}: ${same} ${other}`);
  assert.equal(describeDurations(), `${STANDARD} and ${FAST}: ${seconds}. ${omni}`);
});
