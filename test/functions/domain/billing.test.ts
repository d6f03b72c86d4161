import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chargeFor, chargeRecord } from '../../../functions/domain/billing.ts';
import { ASPECT_RATIOS, DURATIONS, RESOLUTIONS } from '../../../functions/domain/models.ts';
import { times } from '../../../functions/domain/money.ts';
import { derivedTaskId } from '../../../functions/domain/task-id.ts';
import { aTask } from '../../support/builders/task.ts';

const PRICES = { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} };
const charge = chargeFor('video-3.1-generate-preview', 8, PRICES);

describe('the charge of a video', () => {
  for (const seconds of DURATIONS)
    test(`is for its ${seconds} seconds`, () => {
      const { seconds: charged, amount } = chargeFor('video-3.1-generate-preview', seconds, PRICES);
      assert.deepEqual([charged, amount], [seconds, times('0.40', seconds)]);
    });

  test('has no amount where no price is set', () => {
    assert.deepEqual(chargeFor('video-3.1-fast-generate-preview', 4, PRICES), {
      seconds: 4,
      unitPrice: null,
      amount: null,
      currency: null,
    });
  });

  test('is the same for every resolution and aspect ratio', () => {
    const { request } = aTask();
    const amounts = RESOLUTIONS.flatMap((resolution) =>
      ASPECT_RATIOS.map((aspectRatio) => {
        const task = aTask({ request: { ...request, seconds: 8, resolution, aspectRatio } });
        return chargeRecord(task, chargeFor(task.request.model, task.request.seconds, PRICES), 9000).amount;
      }),
    );
    assert.deepEqual(new Set(amounts), new Set(['3.20']));
  });
});

describe('the record of a charge', () => {
  test('says who pays what for which task', () => {
    const task = aTask();
    assert.deepEqual(chargeRecord(task, charge, 9000), {
      ...charge,
      kind: 'video',
      id: task.id,
      taskId: task.id,
      account: 'account',
      keyId: 'key',
      model: 'video-3.1-generate-preview',
      resolution: '720p',
      time: 9000,
    });
  });

  test('is another one for another task under the id that the same key gives', () => {
    const id = derivedTaskId('account', 'a key');
    const idOfCharge = (createdAt: number) => chargeRecord(aTask({ id, createdAt }), charge, 9000).id;
    assert.notEqual(idOfCharge(1000), idOfCharge(2000));
    assert.equal(idOfCharge(1000), idOfCharge(1000));
  });
});
