import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError } from '../../../../functions/upstream/domain/upstream-error.ts';
import {
  CHECKS,
  type UpstreamPauses,
  upstreamPauses,
} from '../../../../functions/upstream/domain/upstream-pauses.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const busyFor = (retryAfterSeconds?: number) =>
  new UpstreamError('busy', 'slow down', { httpStatus: 429, retryAfterSeconds });

/** As often as it takes to believe it. */
const refuseAll = (pauses: UpstreamPauses, what: string, error: UpstreamError): void => {
  for (let count = 0; count < 3; count += 1) pauses.note(what, error);
};

describe('a pause', () => {
  const build = () => {
    let now = 1000;
    const pass = (milliseconds: number): void => {
      now += milliseconds;
    };
    return { pauses: upstreamPauses(() => now), pass };
  };

  test('lasts as long as the upstream asks, and only for the refused call', () => {
    const { pauses, pass } = build();
    refuseAll(pauses, 'model', busyFor(30));
    assert.equal(pauses.remaining('model'), 30_000);
    assert.equal(pauses.remaining(CHECKS), 0);
    pass(29_999);
    assert.equal(pauses.remaining('model'), 1);
    pass(1);
    assert.equal(pauses.remaining('model'), 0);
  });

  test('starts after three consecutive refusals', () => {
    const { pauses } = build();
    for (const error of [busyFor(30), busyFor(30), undefined, busyFor(30), busyFor(30)])
      pauses.note('model', error);
    assert.equal(pauses.remaining('model'), 0);
    pauses.note('model', busyFor(30));
    assert.equal(pauses.remaining('model'), 30_000);
  });

  test('does not start if it would last more than a minute', () => {
    const { pauses } = build();
    refuseAll(pauses, 'model', busyFor(61));
    assert.equal(pauses.remaining('model'), 0);
    pauses.note('model', busyFor(60));
    assert.equal(pauses.remaining('model'), 60_000);
  });

  test('does not start if the upstream gives no delay or fails in another way', () => {
    const { pauses } = build();
    refuseAll(pauses, 'model', busyFor());
    pauses.note('model', new UpstreamError('failing', 'no', { httpStatus: 503, retryAfterSeconds: 30 }));
    assert.equal(pauses.remaining('model'), 0);
  });
});

describe('a worker whose upstream was busy', () => {
  const model = 'video-3.1-generate-preview';
  const queued = (id: string) =>
    aTask({ id, status: 'queued', createdAt: NOW, attempts: 0, work: { kind: 'submit', dueAt: NOW } });

  test('postpones the next submit with one write and no call', async () => {
    const { worker, stores, asked, sent } = buildWorker(queued('next'));
    refuseAll(worker.pauses, model, busyFor(20));
    await advanceTask(worker, { taskId: 'next', step: 3 });
    const after = stores.tasks.find('next');
    assert.deepEqual(asked, []);
    assert.deepEqual([after?.step, after?.attempts], [4, 1]);
    assert.deepEqual(after?.work, { kind: 'submit', dueAt: NOW + 20_000 });
    assert.deepEqual(sent, [{ taskId: 'next', account: 'account', step: 4 }]);
  });

  test('remembers the refusal of a submit and of a check', async () => {
    const { worker } = buildWorker(
      queued('submitted'),
      aTask({
        id: 'checked',
        status: 'in_progress',
        createdAt: NOW,
        operation: 'operations/1',
        submittedAt: NOW,
        work: { kind: 'check', dueAt: NOW },
      }),
    );
    for (const what of [model, CHECKS, model, CHECKS]) worker.pauses.note(what, busyFor(10));
    const refuse = () => Promise.reject(busyFor(10));
    const refusing = { ...worker, generator: { ...worker.generator, submit: refuse, check: refuse } };
    await advanceTask(refusing, { taskId: 'submitted', step: 3 });
    assert.equal(worker.pauses.remaining(model), 10_000);
    assert.equal(worker.pauses.remaining(CHECKS), 0);
    await advanceTask(refusing, { taskId: 'checked', step: 3 });
    assert.equal(worker.pauses.remaining(CHECKS), 10_000);
  });

  test('makes no check during the pause', async () => {
    const { worker, asked, sent } = buildWorker();
    refuseAll(worker.pauses, CHECKS, busyFor(10));
    const poll = { operation: 'operations/1', submittedAt: NOW, leaseUntil: NOW + 20_000 };
    const message = { taskId: 'one', account: 'account', step: 3, poll };
    await advanceTask(worker, message);
    assert.deepEqual(asked, []);
    assert.deepEqual(sent, [message]);
  });
});
