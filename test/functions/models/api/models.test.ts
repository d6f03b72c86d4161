import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readImageAction } from '../../../../functions/models/api/models.ts';

describe('the last part of a native route', () => {
  for (const [part, model, action] of [
    ['m:generateContent', 'm', 'generateContent'],
    ['m:streamGenerateContent', 'm', 'streamGenerateContent'],
    ['m%3AgenerateContent', 'm', 'generateContent'],
    ['a:b:generateContent', 'a:b', 'generateContent'],
  ])
    test(`${part} is ${action} of ${model}`, () =>
      assert.deepEqual(readImageAction(part ?? ''), { model, action }));

  for (const part of ['m', 'm:', 'm:countTokens', 'generateContent', 'm:toString'])
    test(`${part} is rejected`, () =>
      assert.throws(() => readImageAction(part), { code: 'model_not_found' }));
});
