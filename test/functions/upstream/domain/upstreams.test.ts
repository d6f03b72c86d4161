import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  credentialName,
  inOrder,
  isIdempotent,
  isLimited,
} from '../../../../functions/upstream/domain/upstreams.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { aGeminiApi, aVideosApi } from '../../../support/builders/upstream-kinds.ts';

test('only another deployment of this service accepts a repeated submit', () => {
  assert.equal(isIdempotent(aVideosApi('media-generation')), true);
  assert.equal(isIdempotent(aVideosApi('top-level')), false);
  assert.equal(isIdempotent(aGeminiApi()), false);
});

test('an upstream is limited by submits or by videos', () => {
  assert.deepEqual(
    [{}, { submitsPerMinute: 5 }, { videosAtOnce: 2 }].map((change) => isLimited(anUpstream('a', change))),
    [false, true, true],
  );
});

test('an upstream has a credential under its own name, or under another one', () => {
  assert.equal(credentialName(anUpstream('a')), 'a');
  assert.equal(credentialName({ ...anUpstream('a'), credential: 'shared' }), 'shared');
});

test('upstreams are ordered by priority, and drawn by weight among equals', () => {
  const names = (draws: readonly number[]) => {
    const given = [anUpstream('a', { priority: 2 }), anUpstream('b'), anUpstream('c', { weight: 3 })];
    const rest = draws.values();
    return inOrder(given, () => rest.next().value ?? 0).map(({ name }) => name);
  };
  assert.deepEqual(names([0, 0.1, 0.5]), ['b', 'c', 'a']);
  assert.deepEqual(names([0, 0.5, 0.1]), ['c', 'b', 'a']);
  // The same draw counts a third for the heavier one.
  assert.deepEqual(names([0, 0.5, 0.8]), ['c', 'b', 'a']);
  assert.deepEqual(names([0, 0.5, 0.9]), ['b', 'c', 'a']);
});
