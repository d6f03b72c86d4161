import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Quantities, totalCost } from '../../../lib/evidence/prices.ts';
import { tableRows } from '../../docs/sections.ts';

const GIGABYTES = 1.5;
const WEEK = 7 / 30;

/** A thousand images: megabytes are gigabytes. */
const images = (seconds: number, response: number, file: number): Quantities => ({
  transferredGigabyte: response,
  lambdaGigabyteSecond: 1000 * GIGABYTES * seconds,
  // A streamed response counts as a request for every 10 MB.
  apiGatewayRequest: 1000 * Math.ceil(response / 10),
  lambdaRequest: 1000,
  dynamoWriteUnit: 10_000,
  s3WriteRequest: 1000,
  s3GigabyteMonth: file * WEEK,
});

test('docs/operate.md has the cost of 1,000 images', () => {
  const row = tableRows(['docs/operate.md', '## Monthly cost']).find(([item]) => item === '1,000 images');
  const [, estimate = '', drivers = ''] = row ?? [];
  // Lambda sends what exceeds 6 MB at 2 MB per second.
  const [small, large] = [images(15, 2, 1.5), images(25 + (25 - 6) / 2, 25, 19)];
  const [least, most] = [small, large].map((each) => totalCost(each).dollars.toFixed(2));
  assert.equal(estimate, `${least} to ${most} USD`);
  for (const { lambdaGigabyteSecond = 0, transferredGigabyte = 0 } of [small, large])
    for (const part of [{ lambdaGigabyteSecond }, { transferredGigabyte }])
      assert.ok(drivers.includes(totalCost(part).dollars.toFixed(2)), JSON.stringify(part));
});
