import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  holdsPrompt,
  imagePart,
  MAX_SEED,
  maxImages,
  textPart,
  withVariation,
} from '../../../../functions/upstream/domain/image-request.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';

test('a prompt is a text or an image of the user', () => {
  const text = textPart('a harbour');
  const image = imagePart({ fileId: 'file_1' });
  for (const [role, parts, holds] of [
    ['user', [text], true],
    ['user', [image], true],
    ['user', [textPart(' \n')], false],
    ['user', [textPart(' '), image], true],
    ['user', [], false],
    ['model', [text, image], false],
  ] as const)
    assert.equal(holdsPrompt([{ role, parts }]), holds, `${role} ${JSON.stringify(parts)}`);
  assert.equal(
    holdsPrompt([
      { role: 'model', parts: [image] },
      { role: 'user', parts: [text] },
    ]),
    true,
  );
});

test('an image at 4K takes more of a response, most as PNG', () => {
  assert.deepEqual([maxImages('2K'), maxImages('2K', 'png')], [10, 10]);
  assert.deepEqual([maxImages('4K'), maxImages('4K', 'webp'), maxImages('4K', 'png')], [4, 4, 2]);
});

test('each image of a request has the next seed, if there is one', () => {
  const vary = (seed: number | undefined, index: number) =>
    withVariation({ ...IMAGE_REQUEST, sampling: { topP: 1, seed } }, index);
  assert.deepEqual(vary(7, 0), { ...IMAGE_REQUEST, sampling: { topP: 1, seed: 7 } });
  assert.deepEqual(vary(7, 2), { ...IMAGE_REQUEST, sampling: { topP: 1, seed: 9 } });
  const seeds = [vary(MAX_SEED - 1, 1), vary(MAX_SEED - 1, 2), vary(undefined, 1)];
  assert.deepEqual(
    seeds.map(({ sampling }) => sampling.seed),
    [2_147_483_647, 0, undefined],
  );
});
