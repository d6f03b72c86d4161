import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  closestName,
  editDistance,
  shownName,
  unknownFieldMessage,
} from '../../../../functions/platform/body/unknown-fields.ts';

describe('the edit distance', () => {
  for (const [one, other, distance] of [
    ['', '', 0],
    ['seed', 'seed', 0],
    ['seed', '', 4],
    ['', 'seed', 4],
    ['promt', 'prompt', 1],
    ['secodns', 'seconds', 2],
    ['kitten', 'sitting', 3],
  ] as const)
    test(`from ${one} to ${other} is ${distance}`, () => assert.equal(editDistance(one, other), distance));
});

describe('the closest name', () => {
  const ACCEPTED = ['model', 'prompt', 'seconds', 'aspectRatio', 'negativePrompt', 'input_reference', 'n'];
  for (const [name, closest] of [
    ['promt', 'prompt'],
    ['Prompt', 'prompt'],
    ['second', 'seconds'],
    ['aspect-ratio', 'aspectRatio'],
    ['ASPECT_RATIO', 'aspectRatio'],
    ['negative_promts', 'negativePrompt'],
    ['input_refrence', 'input_reference'],
    ['x', undefined],
    ['', undefined],
    ['callback', undefined],
    ['constructor', undefined],
    [`prompt${'t'.repeat(40)}`, undefined],
  ] as const)
    test(`to ${name} is ${closest}`, () => assert.equal(closestName(name, ACCEPTED), closest));

  test('is the first of several that are equally close', () => {
    assert.equal(closestName('imagex', ['images', 'image1']), 'images');
    assert.equal(closestName('image12', ['images', 'image1']), 'image1');
  });
});

describe('the message about an unknown field', () => {
  test('gives advice, then the closest name, then all names', () => {
    assert.equal(
      unknownFieldMessage('promt', 'send prompt.', ['prompt']),
      'is not an accepted field: send prompt.',
    );
    assert.equal(
      unknownFieldMessage('promt', undefined, ['prompt']),
      'is not an accepted field. Did you mean prompt?',
    );
    assert.equal(
      unknownFieldMessage('callback', undefined, ['model', 'prompt']),
      'is not an accepted field. Accepted here: model, prompt.',
    );
  });

  test('shows a short name, on one line', () => {
    assert.equal(shownName('image_urls'), 'image_urls');
    assert.equal(shownName('a\nb\u2028c'), 'a b c');
    assert.equal(shownName('x'.repeat(64)), 'x'.repeat(64));
    assert.equal(shownName('x'.repeat(1_000_000)), `${'x'.repeat(64)}…`);
    assert.ok(shownName(`${'x'.repeat(63)}😀😀`).isWellFormed());
  });
});
