import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from '../../../../functions/platform/domain/public-host.ts';

const byte = fc.integer({ min: 0, max: 255 });

describe('isPublicAddress and isLoopbackAddress', () => {
  test('what is not an address, or has a zone, is not public', () => {
    for (const text of [
      '',
      ...'fe80::1%lo 2606:4700::1111%lo localhost 127.1 0177.0.0.1 8.8.8.8/8'.split(' '),
    ])
      assert.equal(isPublicAddress(text), false, text);
  });

  test('only 127.0.0.0/8 and ::1 are loopback addresses', () => {
    for (const address of ['127.0.0.1', '127.255.0.1', '::1', '0:0:0:0:0:0:0:1'])
      assert.equal(isLoopbackAddress(address), true, address);
    for (const address of ['126.0.0.1', '128.0.0.1', '::', '::2', '::ffff:10.0.0.1', 'localhost', ''])
      assert.equal(isLoopbackAddress(address), false, address);
  });

  const toBits = (bytes: readonly number[]): string =>
    bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

  /** The same ranges as bit prefixes, independent of the code. */
  const SPECIAL_BITS = [
    ...'00000000 00001010 0110010001 01111111 1010100111111110 101011000001 110001100001001 1110 1111'.split(
      ' ',
    ),
    ...'110000000000000000000000 110000000000000000000010 110000000001111111000100 1100000010101000'.split(
      ' ',
    ),
    ...'110000000011010011000001 110000000101100001100011 110000001010111100110000'.split(' '),
    ...'110001100011001101100100 110010110000000001110001'.split(' '),
  ];
  const SPECIAL_BITS_6 = [
    ...'00100000000000010000000 00100000000000010000110110111000 0010000000000010'.split(' '),
    ...'001001100010000000000000010011111000000000000000 00111111111111110000'.split(' '),
  ];

  /** Addresses of which most start with the bits of a special range, or differ from it in their last bit. */
  const addresses = (length: number, ...starts: readonly string[]) =>
    fc
      .tuple(
        fc.array(byte, { minLength: length, maxLength: length }),
        fc.option(fc.constantFrom(...starts)),
        fc.boolean(),
      )
      .map(([bytes, start, flipped]) => {
        if (start === null) return bytes;
        const prefix = flipped ? `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}` : start;
        const bits = `${prefix}${toBits(bytes).slice(prefix.length)}`;
        return bytes.map((_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2));
      });

  test('any IPv4 address is classified by its bits', () => {
    fc.assert(
      fc.property(addresses(4, ...SPECIAL_BITS), (bytes) => {
        const isPublic = !SPECIAL_BITS.some((prefix) => toBits(bytes).startsWith(prefix));
        assert.equal(isPublicAddress(bytes.join('.')), isPublic, bytes.join('.'));
      }),
      { numRuns: 3000 },
    );
  });

  const toGroups = (bytes: readonly number[]): string[] =>
    Array.from({ length: 8 }, (_, index) =>
      ((bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0)).toString(16),
    );

  const SPELLINGS: readonly ((bytes: readonly number[]) => string)[] = [
    (bytes) => toGroups(bytes).join(':'),
    (bytes) => toGroups(bytes).join(':').toUpperCase(),
    (bytes) =>
      toGroups(bytes)
        .join(':')
        .replaceAll(/\w+/g, (group) => group.padStart(4, '0')),
    (bytes) => `${toGroups(bytes).slice(0, 6).join(':')}:${bytes.slice(12).join('.')}`,
    (bytes) => new URL(`https://[${toGroups(bytes).join(':')}]`).hostname.slice(1, -1),
  ];

  test('any IPv6 address is classified by its bits, in every spelling', () => {
    fc.assert(
      fc.property(addresses(16, ...SPECIAL_BITS_6, '001', '11111101', '1111111010'), (bytes) => {
        const bits = toBits(bytes);
        const isPublic = bits.startsWith('001') && !SPECIAL_BITS_6.some((prefix) => bits.startsWith(prefix));
        for (const spell of SPELLINGS) assert.equal(isPublicAddress(spell(bytes)), isPublic, spell(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});
