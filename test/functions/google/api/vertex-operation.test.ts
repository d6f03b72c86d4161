import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  readOperationTaskId,
  vertexAddress,
  vertexOperation,
  vertexOperationName,
} from '../../../../functions/google/api/vertex-operation.ts';
import { aTask } from '../../../support/builders/task.ts';

const MODEL = 'video-3.1-generate-preview';
const ID = 'task_01kf0xw3g0a1b2c3d4e5f6g7h8';
const task = aTask({ id: ID });
const finished = (response: object) => ({
  name: 'n',
  done: true,
  response: {
    '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
    raiMediaFilteredCount: 0,
    ...response,
  },
});

describe('the name of an operation', () => {
  test('has the place of the path that created it, or none', () => {
    const rest = `publishers/google/models/${MODEL}/operations/${ID}`;
    assert.equal(
      vertexOperationName({ project: 'p', location: 'l' }, task),
      `projects/p/locations/l/${rest}`,
    );
    assert.equal(vertexOperationName({}, task), `projects/-/locations/-/${rest}`);
  });

  for (const operationName of [ID, `operations/${ID}`, `projects/p/locations/l/x/models/m/operations/${ID}`])
    test(`is read from ${operationName}`, () => assert.equal(readOperationTaskId({ operationName }), ID));

  for (const body of [{}, { operationName: 1 }, { operationName: 'x'.repeat(1001) }])
    test(`is not read from ${JSON.stringify(body).slice(0, 40)}`, () =>
      assert.throws(() => readOperationTaskId(body), { code: 'invalid_request', param: 'operationName' }));
});

describe('an operation', () => {
  test('is pending until the video is complete', () =>
    assert.deepEqual(vertexOperation('n', task, undefined), { name: 'n', done: false }));

  test('has the video in its list', () => {
    const video = { bytesBase64Encoded: 'AAAA', mimeType: 'video/mp4' } as const;
    assert.deepEqual(vertexOperation('n', task, video), finished({ videos: [video] }));
  });

  test('has the reason of a filtered video, and the error of a failed one', () => {
    const failed = (code: 'content_blocked' | 'upstream_rejected') =>
      vertexOperation('n', aTask({ status: 'failed', error: { code, message: 'No.' } }), undefined);
    assert.deepEqual(
      failed('content_blocked'),
      finished({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['No.'] }),
    );
    assert.deepEqual(failed('upstream_rejected'), {
      name: 'n',
      done: true,
      error: { code: 3, message: 'No.' },
    });
  });
});

test("an address keeps its signature, and has the file that Google's SDK looks for", () =>
  assert.equal(
    vertexAddress('https://b.s3.amazonaws.com/videos/x.mp4?X-Amz-Signature=0', task),
    'https://b.s3.amazonaws.com/videos/x.mp4?X-Amz-Signature=0#files/01kf0xw3g0a1b2c3d4e5f6g7h8',
  ));
