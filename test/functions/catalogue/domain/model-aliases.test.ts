import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withOwnModel } from '../../../../functions/catalogue/api/model-field.ts';
import {
  aliasesFor,
  BUILT_IN_ALIASES,
  combineAliases,
  keepAliases,
  type ModelAliases,
  namesByModel,
  resolveModel,
} from '../../../../functions/catalogue/domain/model-aliases.ts';
import { NAMES } from '../../../../functions/catalogue/settings.ts';
import { readEnvironment } from '../../../../functions/platform/runtime/environment.ts';
import { FAST, IMAGE, STANDARD } from '../../../support/builders/upstream.ts';

const readAliases = (builtIn: readonly string[], own: ModelAliases) => {
  process.env.MODEL_NAMES = JSON.stringify({ builtIn, own: namesByModel(own), defaults: {} });
  return readEnvironment(NAMES).MODEL_NAMES.aliases;
};

describe('aliases', () => {
  test('of a deployment extend and override the built-in ones', () => {
    const aliases = readAliases(['*'], { house: STANDARD, 'sora-2': STANDARD });
    assert.equal(resolveModel(aliases, 'house'), STANDARD);
    assert.equal(resolveModel(aliases, 'sora-2'), STANDARD);
    assert.equal(resolveModel(aliases, 'sora-2-2025-10-06'), FAST);
    assert.ok(aliasesFor(aliases, STANDARD).includes('house'));
  });

  test('can be restricted to some names and beginnings of names', () => {
    const kept = Object.keys(keepAliases(['sora-2-pro*', 'gpt-image-1']));
    assert.deepEqual(kept, ['sora-2-pro', 'sora-2-pro-2025-10-06', 'gpt-image-1']);
    assert.deepEqual(readAliases([], { house: STANDARD }), { house: STANDARD });
    assert.deepEqual(keepAliases(['*']), BUILT_IN_ALIASES);
    assert.deepEqual(keepAliases(['sora']), {});
    assert.deepEqual(Object.keys(keepAliases(['gpt-image-2.5*'])), [
      'gpt-image-2.5-flare',
      'gpt-image-2.5-flare-2026-09-08',
      'gpt-image-2.5-sunburst',
      'gpt-image-2.5-sunburst-2026-09-08',
    ]);
  });

  test('and models may have a prefix, also in front of a name of the deployment', () => {
    const aliases = combineAliases({ builtIn: ['*'], own: { house: STANDARD, 'google/x': FAST } });
    for (const [name, model] of [
      ['models/veo-3.1-generate-preview', STANDARD],
      ['google/gemini-3-pro-image-preview', IMAGE],
      ['openai/gpt-image-1', IMAGE],
      [`models/${IMAGE}`, IMAGE],
      ['google/house', STANDARD],
      ['google/x', FAST],
    ] as const)
      assert.equal(resolveModel(aliases, name), model, name);
  });

  test('do not change other names, including names of object properties', () => {
    const names = [STANDARD, 'sora-3', 'constructor', 'models/constructor', '__proto__', '', 'google/'];
    for (const name of [...names, 'models/google/sora-2', 'Models/sora-2', 'x', 'models/x'])
      assert.equal(resolveModel(readAliases(['*'], {}), name), name);
  });
});

test('the model of a body is replaced by its name, or by the default if there is none', () => {
  const names = { aliases: { house: STANDARD }, defaults: { video: FAST } };
  const noted: string[] = [];
  const replace = (body: object, medium: 'video' | 'image' = 'video') =>
    withOwnModel(names, medium, { ...body }, (alias) => noted.push(alias));
  assert.deepEqual(replace({ model: 'house' }), { model: STANDARD });
  assert.deepEqual(replace({ model: `models/${FAST}` }), { model: FAST });
  assert.deepEqual(noted.splice(0), [`house=${STANDARD}`, `models/${FAST}=${FAST}`]);
  assert.deepEqual(replace({}), { model: FAST });
  for (const body of [{ model: null }, { model: 'mansion' }, { model: STANDARD }])
    assert.deepEqual(replace(body), body);
  assert.deepEqual(replace({}, 'image'), {});
  assert.deepEqual(noted, []);
});
