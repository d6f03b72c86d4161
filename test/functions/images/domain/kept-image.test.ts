import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimId, toFingerprint } from '../../../../functions/images/domain/kept-image.ts';
import { imagePart } from '../../../../functions/upstream/domain/image-request.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { JPEG, PNG } from '../../../support/images.ts';

test('requests have equal fingerprints only if they ask for the same images', () => {
  const image = (bytes: Uint8Array) => ({ kind: 'image', image: { bytes, mimeType: 'image/png' } }) as const;
  const withParts = (
    ...contents: readonly (ReturnType<typeof image> | { kind: 'text'; text: string })[]
  ) => ({
    ...IMAGE_REQUEST,
    turns: [{ role: 'user' as const, parts: contents.map((content) => ({ content, signature: undefined })) }],
  });
  const file = (fileId: string) => ({
    ...IMAGE_REQUEST,
    turns: [{ role: 'user' as const, parts: [imagePart({ fileId })] }],
  });
  const different = [
    toFingerprint(IMAGE_REQUEST, 1, {}),
    toFingerprint(IMAGE_REQUEST, 2, {}),
    toFingerprint(IMAGE_REQUEST, 1, { format: 'png' }),
    toFingerprint(withParts({ kind: 'text', text: 'A red fox' }), 1, {}),
    toFingerprint(withParts({ kind: 'text', text: 'A cat' }), 1, {}),
    toFingerprint(withParts(image(PNG)), 1, {}),
    toFingerprint(withParts(image(JPEG)), 1, {}),
    toFingerprint(file('file_1'), 1, {}),
    toFingerprint(file('file_2'), 1, {}),
  ];
  assert.equal(new Set(different).size, different.length);
  assert.equal(
    toFingerprint(withParts(image(PNG)), 1, {}),
    toFingerprint(withParts(image(Buffer.from(PNG))), 1, {}),
  );
});

test('a claim belongs to an account and a key', () => {
  assert.match(claimId('acme', 'k'), /^request_[0-9a-f]{64}$/);
  assert.equal(claimId('acme', 'k'), claimId('acme', 'k'));
  assert.notEqual(claimId('acme', 'k'), claimId('acmek', ''));
});
