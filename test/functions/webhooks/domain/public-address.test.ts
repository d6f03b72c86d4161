import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from '../../../../functions/webhooks/domain/webhook-url.ts';

const NOT_PUBLIC = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.1', '192.31.196.1'],
  ...['192.52.193.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '192.175.48.1', '198.18.0.0'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ...[
    '255.255.255.255',
    '::',
    '::1',
    '::2',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
  ],
  ...['64:ff9b::808:808', '64:ff9b:1::1', '100::', '100::ffff', '100:0:0:1::', '2001::1', '2001:1ff:ffff::'],
  ...['2001:db8::1', '2002:7f00:1::', '2002:808:808::', '2620:4f:8000::1', '3fff::', '3fff:fff::', '4000::'],
  ...['5f00::1', 'fc00::', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'FF0E::1'],
  ...[
    'fe80::1%lo',
    '2606:4700::1111%lo',
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '[::1]',
    '8.8.8.8/8',
    ' 8.8.8.8',
  ],
];

const PUBLIC = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '2000::', '2001:200::', '2001:4860:4860::8888', '2001:db7:ffff::', '2001:db9::'],
  ...['2003::', '2606:4700::1111', '2606:4700::8.8.8.8', '3ffe::1', '3fff:1000::', '2A00:1450::1'],
];

test('special-purpose addresses are not public, to their first and last', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
});

test('the addresses around them are public', () => {
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
});

test('only 127.0.0.0/8 and ::1 are this machine', () => {
  for (const address of ['127.0.0.1', '127.255.0.1', '::1', '0:0:0:0:0:0:0:1'])
    assert.equal(isLoopbackAddress(address), true, address);
  for (const address of [
    '126.0.0.1',
    '128.0.0.1',
    '::',
    '::2',
    '::ffff:10.0.0.1',
    '10.0.0.1',
    'localhost',
    '',
  ])
    assert.equal(isLoopbackAddress(address), false, address);
});

const bitsOf = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

/** The same ranges as prefixes of bits, read by nothing that the code uses. */
const SPECIAL_BITS = [
  ...['00000000', '00001010', '0110010001', '01111111', '1010100111111110', '101011000001'],
  ...['110000000000000000000000', '110000000000000000000010', '110000000001111111000100'],
  ...['110000000011010011000001', '110000000101100001100011', '1100000010101000', '110000001010111100110000'],
  ...['110001100001001', '110001100011001101100100', '110010110000000001110001', '1110', '1111'],
];
const SPECIAL_BITS_6 = [
  '00100000000000010000000',
  '00100000000000010000110110111000',
  '0010000000000010',
  '001001100010000000000000010011111000000000000000',
  '00111111111111110000',
];

const byte = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.array(byte, { minLength: 4, maxLength: 4 });
const isPublic4 = (bytes: readonly number[]): boolean =>
  !SPECIAL_BITS.some((prefix) => bitsOf(bytes).startsWith(prefix));

test('any IPv4 address is judged as its bits are', () => {
  fc.assert(
    fc.property(ipv4, (bytes) => assert.equal(isPublicAddress(bytes.join('.')), isPublic4(bytes))),
    { numRuns: 5000 },
  );
});

/** Half of them begin as a special range does, or one bit beside it. */
const ipv6 = fc
  .tuple(
    fc.array(byte, { minLength: 16, maxLength: 16 }),
    fc.option(fc.constantFrom(...SPECIAL_BITS_6, '001', '11111101', '1111111010')),
    fc.boolean(),
  )
  .map(([bytes, start, flipped]) => {
    if (start === null) return bytes;
    const prefix = flipped ? `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}` : start;
    const bits = `${prefix}${bitsOf(bytes).slice(prefix.length)}`;
    return bytes.map((_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2));
  });

const groupsOf = (bytes: readonly number[]): string[] =>
  Array.from({ length: 8 }, (_, index) =>
    ((bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0)).toString(16),
  );

const SPELLINGS: readonly ((bytes: readonly number[]) => string)[] = [
  (bytes) => groupsOf(bytes).join(':'),
  (bytes) => groupsOf(bytes).join(':').toUpperCase(),
  (bytes) =>
    groupsOf(bytes)
      .map((group) => group.padStart(4, '0'))
      .join(':'),
  (bytes) => `${groupsOf(bytes).slice(0, 6).join(':')}:${bytes.slice(12).join('.')}`,
  (bytes) => new URL(`https://[${groupsOf(bytes).join(':')}]`).hostname.slice(1, -1),
];

test('any IPv6 address is judged as its bits are, however it is written', () => {
  fc.assert(
    fc.property(ipv6, (bytes) => {
      const bits = bitsOf(bytes);
      const isPublic = bits.startsWith('001') && !SPECIAL_BITS_6.some((prefix) => bits.startsWith(prefix));
      for (const spell of SPELLINGS) assert.equal(isPublicAddress(spell(bytes)), isPublic, spell(bytes));
    }),
    { numRuns: 2000 },
  );
});
