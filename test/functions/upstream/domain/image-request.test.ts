import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  holdsPrompt,
  imagePart,
  maxImages,
  textPart,
} from '../../../../functions/upstream/domain/image-request.ts';

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
  assert.deepEqual(
    [
      maxImages('2K'),
      maxImages('2K', 'png'),
      maxImages('4K'),
      maxImages('4K', 'webp'),
      maxImages('4K', 'png'),
    ],
    [10, 10, 4, 4, 2],
  );
});
