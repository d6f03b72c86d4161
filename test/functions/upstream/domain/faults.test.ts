import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isCertainRefusal,
  toImageError,
  toTaskError,
  UpstreamError,
} from '../../../../functions/upstream/domain/faults.ts';
import {
  CHECKS,
  type UpstreamPauses,
  upstreamPauses,
} from '../../../../functions/upstream/domain/process-pauses.ts';
import { requireSendable } from '../../../../functions/upstream/domain/request-size.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const OVER = 'upstream_unavailable';

const [OPERATOR, RETIRED] = ['upstream needs the operator', 'upstream model retired'];

/** The consequences of each fault for a submit, a check, a fetch and an image, and what clients and the operator learn. */
const FAULTS = [
  ['rejected', 'final', 'final', 'refused', 'final', 'upstream_rejected', undefined, undefined],
  ['operator', 'final', 'refused', 'retried', 'final', OVER, /^The generator is not available\./, OPERATOR],
  ['retired', 'final', 'final', 'refused', 'final', 'model_unavailable', /no longer/, RETIRED],
  ['exhausted', 'final', 'refused', 'retried', 'final', 'rate_limited', /daily/, 'upstream quota used up'],
  ['busy', 'refused', 'retried', 'retried', 'final', 'rate_limited', /overloaded/, undefined],
  ['failing', 'refused', 'retried', 'retried', 'retried', OVER, /try again later/, undefined],
  ['unanswered', 'unanswered', 'retried', 'retried', 'final', OVER, /try again later/, undefined],
] as const;

for (const [fault, submit, check, fetch, image, code, message, event] of FAULTS)
  test(`after the fault ${fault}, a submit is ${submit}, a check ${check}, a fetch ${fetch}, an image ${image}`, () => {
    const { rule } = new UpstreamError(fault, 'no');
    assert.deepEqual(
      [rule.submit, rule.check, rule.fetch, rule.image, rule.code, rule.event],
      [submit, check, fetch, image, code, event],
    );
    assert.match(rule.message ?? '', message ?? /^$/);
    assert.equal(rule.retryAfterSeconds, fault === 'exhausted' ? 3600 : undefined);
  });

describe('the operator', () => {
  const retired = () => {
    const error = new UpstreamError('retired', 'gone', { httpStatus: 404, replacement: 'veo-4' });
    [error.upstream, error.model] = ['studio', 'video'];
    return error;
  };
  const collect = () => {
    const lines: unknown[] = [];
    const logger = {
      info: () => assert.fail('only errors are logged'),
      error: (event: string, error: unknown, fields: object) => void lines.push([event, error, fields]),
    };
    return { lines, logger };
  };

  test('learns the model and its replacement when an upstream has retired a model', () => {
    const error = retired();
    const { lines, logger } = collect();
    assert.deepEqual(toTaskError(logger, error), {
      code: 'model_unavailable',
      message: 'The generator no longer offers this model.',
    });
    assert.equal(toImageError(logger, error).code, 'model_unavailable');
    const fields = { upstream: 'studio', model: 'video', replacement: 'veo-4', httpStatus: 404 };
    assert.deepEqual(lines, [
      ['upstream model retired', error, fields],
      ['upstream model retired', error, fields],
    ]);
  });

  test('learns the upstream and the status of other faults, and nothing about rejected requests', () => {
    const error = new UpstreamError('operator', 'no', { httpStatus: 401 });
    error.upstream = 'studio';
    const { lines, logger } = collect();
    toTaskError(logger, error);
    toTaskError(logger, new UpstreamError('rejected', 'no'));
    assert.deepEqual(lines, [
      ['upstream needs the operator', error, { upstream: 'studio', httpStatus: 401 }],
    ]);
  });
});

describe('another upstream', () => {
  for (const [fault, httpStatus, may] of [
    ['rejected', 400, false],
    ['operator', 401, true],
    ['retired', 404, true],
    ['exhausted', 429, true],
    ['busy', 429, true],
    ['failing', undefined, true],
    ['failing', 503, true],
    ['failing', 500, false],
    ['unanswered', undefined, false],
    ['unanswered', 502, false],
  ] as const)
    test(`${may ? 'may' : 'may not'} get the request after the fault ${fault} with status ${httpStatus}`, () => {
      const details = httpStatus === undefined ? {} : { httpStatus };
      assert.equal(isCertainRefusal(new UpstreamError(fault, 'no', details)), may);
    });
});

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
    const checks = `${CHECKS} default`;
    for (const what of [model, checks, model, checks]) worker.pauses.note(what, busyFor(10));
    const refuse = () => Promise.reject(busyFor(10));
    const refusing = { ...worker, generator: { ...worker.generator, submit: refuse, check: refuse } };
    await advanceTask(refusing, { taskId: 'submitted', step: 3 });
    assert.equal(worker.pauses.remaining(model), 10_000);
    assert.equal(worker.pauses.remaining(checks), 0);
    await advanceTask(refusing, { taskId: 'checked', step: 3 });
    assert.equal(worker.pauses.remaining(checks), 10_000);
  });

  test('makes no check during the pause', async () => {
    const { worker, asked, sent } = buildWorker();
    refuseAll(worker.pauses, `${CHECKS} default`, busyFor(10));
    const upstream = { name: 'default' };
    const poll = { operation: 'operations/1', upstream, submittedAt: NOW, leaseUntil: NOW + 20_000 };
    const message = { taskId: 'one', account: 'account', step: 3, poll };
    await advanceTask(worker, message);
    assert.deepEqual([asked, sent], [[], [message]]);
  });
});

/** 2,000 bytes for the frame, texts with quotes, and 4 bytes of Base64 for 3 bytes of an image. */
for (const [name, texts, images] of [
  ['a text', ['a'.repeat(997_998)], []],
  ['a text with characters of two bytes', ['é'.repeat(498_999)], []],
  ['a text that JSON escapes', ['"'.repeat(498_999)], []],
  ['two texts, one of them missing, and an image', ['a'.repeat(497_996), undefined], [375_000]],
  ['a text and an image that Base64 pads', ['a'.repeat(597_998)], [299_998]],
] as const)
  test(`${name} of exactly a megabyte fits, but not with another image`, () => {
    assert.doesNotThrow(() => requireSendable({ texts, images, param: undefined }, 1));
    assert.throws(() => requireSendable({ texts, images: [...images, 1], param: 'images' }, 1), {
      code: 'invalid_request',
      param: 'images',
      message: /it has 1\.1 MB, but the generator accepts at most 1 MB\.$/,
    });
  });

test('the images of a request may have 14.7 MB together, whatever the prompts are', () => {
  const longest = '\u0001'.repeat(32_000);
  const texts = [longest, longest];
  assert.doesNotThrow(() => requireSendable({ texts, images: [14_000_000, 700_000], param: undefined }, 20));
  assert.throws(() => requireSendable({ texts: [], images: [14_000_000, 700_001], param: 'image' }, 20), {
    code: 'invalid_request',
    param: 'image',
    message:
      'The images are too large: they are 14.8 MB together, but a request may have at most 14.7 MB of images.',
  });
});
