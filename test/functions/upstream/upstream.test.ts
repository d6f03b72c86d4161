import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamError } from '../../../functions/upstream/domain/upstream.ts';
import { observedImages, observedVideos } from '../../../functions/upstream/upstream.ts';
import { IMAGE_REQUEST } from '../../support/builders/requests.ts';
import { aTask } from '../../support/builders/task.ts';

test('every call to the upstream is logged with its name, duration and fault', async () => {
  const lines: unknown[] = [];
  let time = 0;
  const observation = {
    logger: { info: (event: string, fields: object) => void lines.push([event, fields]), error: () => {} },
    now: () => {
      time += 7;
      return time;
    },
  };
  const fail = (): Promise<never> => Promise.reject(new UpstreamError('failing', 'no', { httpStatus: 503 }));
  const videos = observedVideos(observation, () => ({ submit: fail, check: fail, open: fail }));
  const images = observedImages(observation, () => ({ generate: fail }));
  const upstream = { name: 'studio' };
  await assert.rejects(videos.submit(aTask().request, [], upstream));
  await assert.rejects(videos.check('operations/1', upstream));
  await assert.rejects(videos.open('operations/1', { kind: 'inline' }, upstream));
  await assert.rejects(images.generate(IMAGE_REQUEST, { timeoutMs: 1 }, upstream));
  const fields = { fault: 'failing', httpStatus: 503, milliseconds: 7 };
  assert.deepEqual(
    lines,
    ['submit', 'check', 'open', 'image'].map((call) => [
      'upstream call failed',
      { upstream: 'studio', call, ...fields },
    ]),
  );
});
