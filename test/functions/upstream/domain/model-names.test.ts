import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { theirName } from '../../../../functions/upstream/domain/model-names.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';

const [STANDARD, FAST, IMAGE] = [
  'video-3.1-generate-preview',
  'video-3.1-fast-generate-preview',
  'image-3.1-flash-image-preview',
] as const;

type Names = readonly [standard: string | undefined, fast: string | undefined, image: string | undefined];

const names = (kind: Upstream['kind'], models: Upstream['models'] = {}): Names => [
  theirName({ kind, models }, STANDARD),
  theirName({ kind, models }, FAST),
  theirName({ kind, models }, IMAGE),
];

describe('the name of a model', () => {
  for (const [kind, ...expected] of [
    ['gemini', undefined, undefined, 'gemini-3.1-flash-image'],
    ['vertex', 'veo-3.1-generate-001', 'veo-3.1-fast-generate-001', 'gemini-3.1-flash-image'],
    ['openrouter', 'google/veo-3.1', 'google/veo-3.1-fast', 'google/gemini-3.1-flash-image'],
    ['openai', STANDARD, FAST, undefined],
  ] as const)
    test(`at an upstream of kind ${kind} is ${expected.join(', ')} by default`, () =>
      assert.deepEqual(names(kind), expected));

  test('is that of the settings, if they name one', () =>
    assert.deepEqual(names('vertex', { [FAST]: 'veo-4-fast' }), [
      'veo-3.1-generate-001',
      'veo-4-fast',
      'gemini-3.1-flash-image',
    ]));

  test('can be given for a model without a default name', () => {
    assert.deepEqual(names('gemini', { [STANDARD]: 'veo-4' }), [
      'veo-4',
      undefined,
      'gemini-3.1-flash-image',
    ]);
    assert.deepEqual(names('openai', { [IMAGE]: 'gpt-image-2' }), [STANDARD, FAST, 'gpt-image-2']);
  });

  test('is undefined if the settings exclude the model', () =>
    assert.deepEqual(names('openrouter', { [STANDARD]: null, [IMAGE]: null }), [
      undefined,
      'google/veo-3.1-fast',
      undefined,
    ]));
});
