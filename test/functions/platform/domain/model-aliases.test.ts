import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasesOf, resolveModel } from '../../../../functions/platform/domain/model-aliases.ts';
import { ENVIRONMENTS, readEnvironment } from '../../../../functions/platform/runtime/environment.ts';

const aliasesGiven = (json: string) => {
  const { MODEL_ALIASES: shape } = ENVIRONMENTS['list-models'];
  process.env.MODEL_ALIASES = json;
  return readEnvironment({ MODEL_ALIASES: shape }).MODEL_ALIASES;
};

test('configured aliases come on top of the known ones, and before them', () => {
  const aliases = aliasesGiven(
    '{"house":"video-3.1-generate-preview","sora-2":"video-3.1-generate-preview"}',
  );
  assert.equal(resolveModel(aliases, 'house'), 'video-3.1-generate-preview');
  assert.equal(resolveModel(aliases, 'sora-2'), 'video-3.1-generate-preview');
  assert.equal(resolveModel(aliases, 'sora-2-2025-10-06'), 'video-3.1-fast-generate-preview');
  assert.ok(aliasesOf(aliases, 'video-3.1-generate-preview').includes('house'));
});

test('a name that is no alias stays as it is, and so does one that every object has', () => {
  for (const name of ['video-3.1-generate-preview', 'sora-3', 'constructor', '__proto__', ''])
    assert.equal(resolveModel(aliasesGiven('{}'), name), name);
});
