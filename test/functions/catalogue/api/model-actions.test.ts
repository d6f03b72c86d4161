import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readImageAction, readRouteModel } from '../../../../functions/catalogue/api/model-actions.ts';
import { FEATURES } from '../../../../functions/platform/domain/features.ts';

describe('the last part of a native route', () => {
  for (const [part, model, action] of [
    ['m:generateContent', 'm', 'generateContent'],
    ['m:streamGenerateContent', 'm', 'streamGenerateContent'],
    ['m:predict', 'm', 'predict'],
    ['m%3AgenerateContent', 'm', 'generateContent'],
    ['a:b:generateContent', 'a:b', 'generateContent'],
  ])
    test(`${part} is ${action} of ${model}`, () =>
      assert.deepEqual(readImageAction(part ?? '', FEATURES), { model, action }));

  for (const [part, message] of [
    ['m', /^The supported actions are generateContent, streamGenerateContent, predict for images/],
    ['m:', /^The supported actions/],
    ['m:countTokens', /^The supported actions/],
    ['generateContent', /^The supported actions/],
    ['m:toString', /^The supported actions/],
    [
      'm:predictLongRunning',
      /^predictLongRunning generates videos: model must be video-3\.1-generate-preview,/,
    ],
  ] as const)
    test(`${part} is rejected`, () =>
      assert.throws(() => readImageAction(part, FEATURES), { code: 'model_not_found', message }));

  for (const part of ['m:predict', 'm:predictLongRunning', 'm:countTokens', 'm'])
    test(`${part} is an unknown route without the feature google`, () =>
      assert.throws(() => readImageAction(part, []), {
        code: 'not_found',
        message: 'There is no such endpoint.',
      }));

  test('m:streamGenerateContent needs no feature', () =>
    assert.deepEqual(readImageAction('m:streamGenerateContent', []), {
      model: 'm',
      action: 'streamGenerateContent',
    }));
});

test('the model of a fixed route is its last part without the action', () => {
  assert.equal(readRouteModel('/v1beta/models/veo-3.1:predictLongRunning'), 'veo-3.1');
  assert.equal(readRouteModel('/v1beta/models'), '');
});
