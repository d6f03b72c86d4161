import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge } from '../../../console/parts/format.ts';

const DAY = 86_400;
const AGES = [
  [7 * DAY - 1, 'in 7 days'],
  [6.2 * DAY, 'in 6 days'],
  [-1.9 * DAY, 'yesterday'],
  [-3599, '59 min. ago'],
] as const;

for (const [seconds, text] of AGES)
  test(`a time ${seconds} seconds from now is ${text}`, () => assert.equal(formatAge(seconds, 0), text));
