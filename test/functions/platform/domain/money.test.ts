import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isMoney,
  isNegative,
  isZero,
  minus,
  plus,
  readCost,
  readMoney,
  times,
} from '../../../../functions/platform/domain/money.ts';

describe('times', () => {
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
    test(`rejects '${price}'`, () => assert.throws(() => times(price, 8), /not a decimal amount/));
});

describe('plus and minus', () => {
  const SUMS: readonly (readonly [one: string, other: string, sum: string, difference: string])[] = [
    ['0.1', '0.2', '0.3', '-0.1'],
    ['100', '3.2000', '103.2000', '96.8000'],
    ['-0.05', '0.05', '0.00', '-0.10'],
    ['0', '0', '0', '0'],
    ['999999999999.999999', '0.000001', '1000000000000.000000', '999999999999.999998'],
  ];
  for (const [one, other, sum, difference] of SUMS)
    test(`of ${one} and ${other} are ${sum} and ${difference}`, () => {
      assert.deepEqual([plus(one, other), minus(one, other)], [sum, difference]);
    });
});

test('readMoney removes leading zeros and keeps decimals', () => {
  for (const [text, plain] of [
    ['007', '7'],
    ['000', '0'],
    ['00.50', '0.50'],
    ['0.50', '0.50'],
    ['100', '100'],
    ['0.000001', '0.000001'],
    ['999999999999.999999', '999999999999.999999'],
    ['1e3', undefined],
    ['', undefined],
  ] as const)
    assert.equal(readMoney(text), plain, text);
});

test('isMoney accepts plain decimals with up to 12 digits and 6 decimals', () => {
  const accepted = ['0', '100', '19.95', '999999999999.999999'];
  const refused = ['1.1234567', '1000000000000', '-1', '1.', '.1', 'x1', '1x', '1e3', '', '١'];
  assert.deepEqual([...accepted, ...refused].filter(isMoney), accepted);
});

for (const [amount, zero, below] of [
  ['0', true, false],
  ['-0.00', true, false],
  ['0.01', false, false],
  ['-0.01', false, true],
  ['10', false, false],
] as const)
  test(`${amount} is ${zero ? '' : 'not '}zero, and ${below ? '' : 'not '}negative`, () => {
    assert.deepEqual([isZero(amount), isNegative(amount)], [zero, below]);
  });

test('readCost reads the prices that upstreams report as numbers', () => {
  for (const [value, amount] of [
    [0, '0'],
    [1.2, '1.2'],
    [10, '10'],
    [0.123456789, '0.123456789'],
    [0.1 + 0.2, '0.3'],
    [999_999, '999999'],
  ] as const)
    assert.deepEqual(readCost(value, 'USD'), { amount, currency: 'USD' });
  for (const value of [-0.01, 1_000_000, Number.NaN, Infinity, '1', null, undefined])
    assert.equal(readCost(value, 'USD'), undefined);
});
