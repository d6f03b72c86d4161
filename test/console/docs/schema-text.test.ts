import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Schema, typeName } from '../../../console/docs/schema-text.ts';

/** As a form sends it: the value, or its text. */
const orText = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'string', pattern: '^x$' }] });

for (const [expected, schema] of [
  ['allow_all, allow_adult', { enum: ['allow_all', 'allow_adult', 'ALLOW_ALL', 'ALLOW_ADULT'] }],
  ['4, 6, 8', orText({ type: 'integer', enum: [4, 6, 8] })],
  ['true', orText({ type: 'boolean', const: true })],
  ['1, 2, 3, 4, 5, 6, 7, 8 and 2 more', { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }],
  ['string or null', { type: ['string', 'null'] }],
  ['array of Image', { items: { $ref: '#/components/schemas/Image' } }],
  ['string', { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'string' }] }],
  ['any', {}],
] as const)
  test(`a field of ${JSON.stringify(schema).slice(0, 60)} is shown as ${expected}`, () => {
    assert.equal(typeName(schema), expected);
  });
