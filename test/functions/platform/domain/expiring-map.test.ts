import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expiringMap } from '../../../../functions/platform/domain/expiring-map.ts';

describe('expiringMap', () => {
  it('keeps a value until its time', () => {
    let now = 0;
    const map = expiringMap<string>(() => now);
    map.set('a', 'first', 10);
    assert.equal(map.get('b'), undefined);
    now = 9;
    assert.equal(map.get('a'), 'first');
    now = 10;
    assert.equal(map.get('a'), undefined);
    now = 9;
    assert.equal(map.get('a'), undefined, 'an expired entry is removed');
  });

  it('is emptied when a new key does not fit', () => {
    const map = expiringMap<number>(() => 0);
    for (let key = 0; key < 1000; key += 1) map.set(String(key), key, 1);
    map.set('999', -1, 1);
    assert.deepEqual([map.get('0'), map.get('999')], [0, -1]);
    map.set('1000', 1000, 1);
    assert.deepEqual([map.get('0'), map.get('999'), map.get('1000')], [undefined, undefined, 1000]);
  });
});
