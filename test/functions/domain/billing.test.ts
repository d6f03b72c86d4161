import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chargeFor, chargeRecord, times } from '../../../functions/domain/billing.ts';
import { ASPECT_RATIOS, DURATIONS, RESOLUTIONS } from '../../../functions/domain/models.ts';
import { derivedTaskId } from '../../../functions/domain/task-id.ts';
import { aTask } from '../../support/builders/task.ts';

const PRICES = { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} };
const charge = chargeFor('video-3.1-generate-preview', 8, PRICES);

describe('a price times a count', () => {
  const PRODUCTS: readonly (readonly [price: string, count: number, amount: string])[] = [
    ['0.40', 8, '3.20'],
    ['0.1', 3, '0.3'],
    ['0.015', 6, '0.090'],
    ['0.001', 4, '0.004'],
    ['1', 8, '8'],
    ['0', 8, '0'],
    ['12.99', 8, '103.92'],
    ['90071992547409.93', 8, '720575940379279.44'],
  ];
  for (const [price, count, amount] of PRODUCTS)
    test(`${price} × ${count} is exactly ${amount}`, () => assert.equal(times(price, count), amount));

  for (const price of ['', '.5', '1.', '-1', '1e3', '0,40', ' 1'])
    test(`'${price}' is not a price`, () => assert.throws(() => times(price, 8), /not a decimal price/));
});

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
