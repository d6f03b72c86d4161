import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nestFields } from '../../../../functions/platform/body/form-fields.ts';

/** The fields of a form whose values are 1, 2 and so on. */
const nest = (names: string): unknown =>
  JSON.parse(JSON.stringify(nestFields(names.split(' ').map((name, at) => [name, at + 1]))));

describe('the fields of a form', () => {
  const CASES: Readonly<Record<string, unknown>> = {
    a: { a: 1 },
    'a a': { a: [1, 2] },
    'a[]': { a: [1] },
    'a[] a[]': { a: [1, 2] },
    'a a[]': { a: [1, 2] },
    'a a[b]': { a: [1, { b: 2 }] },
    'a[0] a[1]': { a: [1, 2] },
    'a[9999]': { a: [1] },
    'a[10000]': { a: { 10000: 1 } },
    'a[b] a[c] d': { a: { b: 1, c: 2 }, d: 3 },
    'a[b] a[0]': { a: { b: 1, 0: 2 } },
    'a[b][c] a[b][d]': { a: { b: { c: 1, d: 2 } } },
    // Brackets without a name belong to the same element, until it has the field.
    'a[][b] a[][c] a[][b]': { a: [{ b: 1, c: 2 }, { b: 3 }] },
    'a[][b] a[]': { a: [{ b: 1 }, 2] },
    'a[][b][c] a[][b]': { a: [{ b: [2, { c: 1 }] }] },
    'a[0][b] a[0][c] a[1][b]': { a: [{ b: 1, c: 2 }, { b: 3 }] },
    // Not pairs of brackets at the end.
    '[a] a[b a] a[b]c a[[b]]': { '[a]': 1, 'a[b': 2, 'a]': 3, 'a[b]c': 4, 'a[[b]]': 5 },
  };
  for (const [names, fields] of Object.entries(CASES))
    test(names, () => assert.deepEqual(nest(names), fields));

  test('may have any name', () => {
    const fields = Object.entries(nestFields([['__proto__[a]', 1]]));
    assert.equal(JSON.stringify(fields), '[["__proto__",{"a":1}]]');
  });

  test('are nested at most six levels deep', () => {
    assert.ok(nest(`a${'[b]'.repeat(6)}`));
    assert.throws(() => nest(`a${'[b]'.repeat(7)}`), { code: 'invalid_request', message: /than 6 levels/ });
  });
});
