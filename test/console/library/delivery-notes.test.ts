import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliveryNotes } from '../../../console/library/delivery-notes.ts';

const FILE = { bytes: 9, width: 1280, height: 720, seconds: 4.04, differs: null };
const CHARGE = { seconds: 4, unit_price: '0.40', amount: '1.60', currency: 'USD' };
const VIDEO = { seconds: '8', size: '1920x1080', charge: CHARGE } as const;

describe('deliveryNotes', () => {
  test('says what differs from the request, and what was charged', () => {
    assert.deepEqual(deliveryNotes({ ...VIDEO, file: { ...FILE, differs: ['size', 'seconds'] } }), [
      'The generator delivered 1280 × 720 instead of 1920 × 1080.',
      'The video has 4 seconds instead of 8; you were charged for 4.',
    ]);
  });

  test('does not mention a charge without a price', () => {
    const file = { ...FILE, seconds: 5.56, differs: ['seconds' as const] };
    const note = ['The video has 5.6 seconds instead of 8.'];
    assert.deepEqual(deliveryNotes({ ...VIDEO, charge: { ...CHARGE, amount: null }, file }), note);
    assert.deepEqual(deliveryNotes({ ...VIDEO, charge: null, file }), note);
    assert.deepEqual(deliveryNotes({ ...VIDEO, charge: undefined, file }), note);
  });

  test('is empty for a video as requested, of unknown size, or without a file', () => {
    for (const file of [{ ...FILE, differs: [] }, FILE, null, undefined])
      assert.deepEqual(deliveryNotes({ ...VIDEO, file }), []);
  });
});
