import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError } from '../../../functions/upstream/domain/faults.ts';
import { observedImages, observedVideos } from '../../../functions/upstream/generators.ts';
import { IMAGE_REQUEST } from '../../support/builders/requests.ts';
import { aTask } from '../../support/builders/task.ts';

const upstream = { name: 'studio' };

const observe = (error?: Error) => {
  const lines: unknown[] = [];
  let time = 0;
  const observation = {
    logger: { info: (event: string, fields: object) => void lines.push([event, fields]), error: () => {} },
    now: () => {
      time += 7;
      return time;
    },
  };
  const fail = (): Promise<never> => Promise.reject(error);
  const submit = error === undefined ? async () => 'operations/1' : fail;
  const videos = observedVideos(observation, () => ({ submit, check: fail, open: fail }));
  const images = observedImages(observation, () => ({ generate: fail }));
  return {
    lines,
    submit: () => videos.submit(aTask().request, [], 'key', upstream),
    check: () => videos.check('operations/1', upstream),
    open: () => videos.open('operations/1', { kind: 'inline' }, upstream),
    image: () => images.generate(IMAGE_REQUEST, { timeoutMs: 1 }, upstream),
  };
};

test('a successful call to the upstream is logged with its duration', async () => {
  const { lines, submit } = observe();
  assert.equal(await submit(), 'operations/1');
  const fields = { upstream: 'studio', call: 'submit', milliseconds: 7 };
  assert.deepEqual(lines, [['upstream answered', fields]]);
});

describe('a failed call to the upstream', () => {
  test('is logged with its name, duration and fault', async () => {
    const { lines, ...calls } = observe(new UpstreamError('failing', 'no', { httpStatus: 503 }));
    for (const call of Object.values(calls)) await assert.rejects(call);
    const fields = { fault: 'failing', httpStatus: 503, milliseconds: 7 };
    assert.deepEqual(
      lines,
      ['submit', 'check', 'open', 'image'].map((call) => [
        'upstream call failed',
        { upstream: 'studio', call, ...fields },
      ]),
    );
  });

  test('that is no error of the upstream has the fault internal', async () => {
    const { lines, submit } = observe(new Error('a bug'));
    await assert.rejects(submit, /a bug/);
    const fields = { fault: 'internal', httpStatus: undefined, milliseconds: 7 };
    assert.deepEqual(lines, [['upstream call failed', { upstream: 'studio', call: 'submit', ...fields }]]);
  });

  for (const [call, model] of [
    ['submit', 'video-3.1-generate-preview'],
    ['check', undefined],
    ['image', 'image-3.1-flash-image-preview'],
  ] as const)
    test(`of the kind ${call} names the upstream and the model ${model} in its error`, async () => {
      const error = new UpstreamError('retired', 'gone', { httpStatus: 404 });
      await assert.rejects(observe(error)[call]);
      assert.deepEqual([error.upstream, error.model], ['studio', model]);
    });
});
