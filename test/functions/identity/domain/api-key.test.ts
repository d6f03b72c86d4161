import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  generateApiKey,
  hashKey,
  isUsable,
  isWellFormedKey,
} from '../../../../functions/identity/domain/api-key.ts';
import { MEMBER as OWNER } from '../authentication/account-table.ts';

const NOW = 1_800_000_000_000;

describe('a new key', () => {
  for (const [kind, prefix] of [
    ['plain', 'mgk_'],
    ['admin', 'mga_'],
  ] as const)
    test(`of kind ${kind} starts with ${prefix} and is well formed`, () => {
      const { key, stored } = generateApiKey('acme', 'CI', NOW, { kind });
      assert.ok(key.startsWith(prefix), key);
      assert.equal(key.length, 54);
      assert.equal(isWellFormedKey(key), true);
      assert.equal(stored.kind, kind);
    });

  test('is stored as a hash, with its terms', () => {
    const terms = { kind: 'admin', expiresAt: NOW + 5, monthlyBudget: '20', requestsPerSecond: 3 } as const;
    const { key, stored } = generateApiKey('acme', 'CI', NOW, terms);
    const hash = hashKey(key);
    const own = { account: 'acme', name: 'CI', lastFour: key.slice(50), createdAt: NOW };
    assert.deepEqual(stored, { ...terms, ...own, hash, id: `key_${hash.slice(0, 16)}` });
    assert.ok(!JSON.stringify(stored).includes(key.slice(4, 47)));
  });

  test('is plain and unlimited by default', () => {
    const { id: _, hash: __, lastFour: ___, ...terms } = generateApiKey('acme', 'CI', NOW).stored;
    assert.deepEqual(terms, { account: 'acme', name: 'CI', kind: 'plain', createdAt: NOW });
  });
});

test('a key is hashed with SHA-256', () => {
  assert.equal(hashKey('x'), '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881');
});

for (const [key, isGood] of [
  [`mgk_${'a'.repeat(43)}1vijeqa`, true],
  [`mga_${'a'.repeat(43)}1vijeqa`, true],
  // A checksum with leading zeros.
  [`mgk_${'2'.repeat(43)}00duhrm`, true],
  [`mgk_${'2'.repeat(43)}duhrm`, false],
  [`mgk_${'a'.repeat(43)}1vijeqb`, false],
  [`mgk_${'a'.repeat(42)}b1vijeqa`, false],
  [`mgx_${'a'.repeat(43)}1vijeqa`, false],
  [` mgk_${'a'.repeat(43)}1vijeqa`, false],
  [`mgk_${'a'.repeat(43)}1vijeqa `, false],
  [`mgk_${'a'.repeat(44)}1vijeqa`, false],
  ['', false],
] as const)
  test(`'${key}' is ${isGood ? '' : 'not '}well formed`, () => {
    assert.equal(isWellFormedKey(key), isGood);
  });

for (const [name, change, isGood] of [
  ['without an expiry', {}, true],
  ['before its expiry', { expiresAt: NOW + 1 }, true],
  ['at its expiry', { expiresAt: NOW }, false],
  ['that is revoked', { revokedAt: NOW + 1 }, false],
  ['of a member', { ownerId: OWNER.id, createdAt: OWNER.addedAt }, true],
  ['of an earlier membership', { ownerId: OWNER.id, createdAt: OWNER.addedAt - 1 }, false],
  ['that is revoked before its expiry', { revokedAt: NOW - 1, expiresAt: NOW + 1 }, false],
] as const)
  test(`a key ${name} is ${isGood ? '' : 'not '}usable`, () => {
    assert.equal(isUsable({ ...generateApiKey('acme', 'CI', 0).stored, ...change }, NOW, OWNER), isGood);
  });
