import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBase64 } from '../../../../functions/platform/body/image.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const random = seededRandom(7);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

describe('decodeBase64', () => {
  test('reads both alphabets, with and without padding', () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = randomBytes(length);
      const standard = bytes.toString('base64');
      const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_');
      for (const text of [standard, urlSafe, standard.replaceAll('=', ''), urlSafe.replaceAll('=', '')])
        assert.deepEqual(decodeBase64(text), bytes, text);
    }
  });

  for (const text of [
    'A',
    'AAAAA',
    'QQ=',
    'QQ===',
    'QUI==',
    'QUJD=',
    '=',
    '==',
    '====',
    'Q=Q=',
    'AA==AA==',
    'ab+_',
    '-/ab',
    'QU JD',
    'QUJD\n',
    'QU%2B',
    'QUJ\u00e9',
    'QUJ\ud800',
  ])
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(decodeBase64(text), undefined));

  test('reads 40 MB in linear time', () => {
    const seconds = (text: string) => {
      const started = process.cpuUsage();
      decodeBase64(text);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1e6;
    };
    for (const text of [`${'A'.repeat(40e6)}!`, '='.repeat(40e6), `${'-'.repeat(40e6)}+`, 'A'.repeat(40e6)])
      assert.ok(seconds(text) < 2);
  });
});
