import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  chargeFor,
  chargeForDelivered,
  imageChargeRecord,
  imagePrice,
} from '../../../../functions/billing/domain/charges.ts';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import { videoChargeRecord } from '../../../../functions/videos/domain/video-charge-record.ts';
import { aTask } from '../../../support/builders/task.ts';

const PRICES = { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} };
const charge = chargeFor('video-3.1-generate-preview', 8, PRICES);

describe('the charge of a video', () => {
  test('is the price of its seconds', () =>
    assert.deepEqual(charge, { seconds: 8, unitPrice: '0.40', amount: '3.20', currency: 'USD' }));

  test('has no amount without a price', () => {
    assert.deepEqual(chargeFor('video-3.1-fast-generate-preview', 4, PRICES), {
      seconds: 4,
      unitPrice: null,
      amount: null,
      currency: null,
    });
  });
});

describe('the charge of a delivered video', () => {
  const { unitPrice, currency } = charge;
  for (const [title, delivered, seconds, amount] of [
    ['is that of the requested seconds', 8, 8, '3.20'],
    ['is that of the seconds of a shorter video', 4, 4, '1.60'],
    ['rounds down to whole seconds', 4.49, 4, '1.60'],
    ['rounds up to whole seconds', 7.5, 8, '3.20'],
    ['never exceeds the requested seconds', 12, 8, '3.20'],
    ['is that of the requested seconds if the duration is unknown', undefined, 8, '3.20'],
    ['is nothing for less than half a second', 0.4, 0, '0.00'],
  ] as const)
    test(title, () =>
      assert.deepEqual(chargeForDelivered(charge, delivered), { seconds, unitPrice, amount, currency }),
    );

  test('has no amount without a price', () => {
    const free = chargeFor('video-3.1-fast-generate-preview', 8, PRICES);
    assert.deepEqual(chargeForDelivered(free, 4), { ...free, seconds: 4 });
  });
});

describe('the record of a charge', () => {
  test('has the account, the key, the person, the task and the amount', () => {
    const upstreamCost = { amount: '2.4', currency: 'USD' };
    const upstream = { name: 'studio', substitute: 'another-model', hasPlace: false };
    const task = aTask({ personId: 'person', upstream, upstreamCost });
    assert.deepEqual(videoChargeRecord(task, charge, 9000), {
      ...charge,
      kind: 'video',
      id: task.id,
      taskId: task.id,
      account: 'account',
      keyId: 'key',
      personId: 'person',
      model: 'video-3.1-generate-preview',
      resolution: '720p',
      upstream: 'studio',
      upstreamModel: 'another-model',
      upstreamCost,
      time: 9000,
    });
  });

  test('has another id for another task with the same task id', () => {
    const id = derivedTaskId('account', 'a key');
    const idOfCharge = (createdAt: number) => videoChargeRecord(aTask({ id, createdAt }), charge, 9000).id;
    assert.notEqual(idOfCharge(1000), idOfCharge(2000));
    assert.equal(idOfCharge(1000), idOfCharge(1000));
  });
});

describe('the record of an image', () => {
  const tokens = { prompt: 5, output: 1290, total: 1295 };
  const image = {
    account: 'acme',
    keyId: 'key',
    personId: 'person',
    requestId: 'r1',
    upstream: 'studio',
    upstreamCost: { amount: '0.04', currency: 'USD' },
    model: 'image',
    size: '1K',
    tokens,
    time: 9000,
  } as const;
  const { requestId: _, ...used } = image;
  const recorded = { ...used, kind: 'image', id: 'img_r1', images: 1 };

  test('has the price of its size', () => {
    const prices = { ...PRICES, image: { '1K': '0.067', '2K': '0.1' } };
    assert.deepEqual(imageChargeRecord(image, prices), {
      ...recorded,
      unitPrice: '0.067',
      amount: '0.067',
      currency: 'USD',
    });
    assert.equal(imagePrice('2K', prices), '0.1');
  });

  test('of several images of one request has an id of its own', () => {
    const ids = [0, 1, 2].map((index) => imageChargeRecord({ ...image, index }, PRICES).id);
    assert.deepEqual(ids, ['img_r1', 'img_r1_1', 'img_r1_2']);
  });

  test('has no amount if its size has no price', () => {
    const unpriced = { unitPrice: null, amount: null, currency: null };
    assert.deepEqual(imageChargeRecord(image, PRICES), { ...recorded, ...unpriced });
    assert.equal(imagePrice('1K', PRICES), null);
  });
});
