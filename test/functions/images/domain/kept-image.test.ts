import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claimId,
  fromResult,
  toFailure,
  toFingerprint,
  toResult,
} from '../../../../functions/images/domain/kept-image.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
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
    turns: [
      {
        role: 'user' as const,
        parts: [{ content: { kind: 'image' as const, image: { fileId } }, signature: undefined }],
      },
    ],
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

test('a result and the bytes of its file are the answer of a repeated request', () => {
  const result = {
    outcome: 'image',
    text: 'A fox.',
    cutShort: false,
    tokens: { prompt: 1, output: 2, total: 3 },
    promptImageTokens: 4,
    contentCredentials: undefined,
  } as const;
  assert.deepEqual(
    toResult({ ...result, image: { mimeType: 'image/png', base64: '' }, document: {} }),
    result,
  );
  const claim = (given: ReturnType<typeof toFailure>) => ({
    account: 'acme',
    id: 'request_1',
    fingerprint: 'f',
    requestId: 'r',
    createdAt: 1,
    expiresAt: 2,
    at: 1,
    count: 1,
    results: new Map([[0, given]]),
  });
  for (const [bytes, mimeType, extension] of [
    [PNG, 'image/png', 'png'],
    [JPEG, 'image/jpeg', 'jpg'],
    [Buffer.from('x'), 'image/jpeg', 'jpg'],
  ] as const) {
    const data = bytes.toString('base64');
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 };
    const answer = (parts: readonly object[], finishReason: string) => ({
      candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
      usageMetadata,
    });
    const inline = { inlineData: { mimeType, data } };
    const { file, ...made } = fromResult(claim(result), 0, bytes);
    assert.deepEqual(made, {
      ...result,
      image: { mimeType, base64: data },
      document: answer([{ text: 'A fox.' }, inline], 'STOP'),
    });
    assert.match(file?.name ?? '', new RegExp(`^file_\\w{26}\\.${extension}$`));
    assert.deepEqual(
      [file?.account, file?.mimeType, file?.name],
      ['acme', mimeType, `${file?.id}.${extension}`],
    );
    const silent = claim({ ...result, text: '', cutShort: true });
    assert.deepEqual(fromResult(silent, 0, bytes).document, answer([inline], 'MAX_TOKENS'));
  }
  const failed = toFailure(new DomainError('content_blocked', 'No.'));
  assert.deepEqual(failed, { outcome: 'failed', code: 'content_blocked', message: 'No.' });
  assert.equal(Object(toFailure(new Error('a defect'))).code, 'internal');
  assert.throws(() => fromResult(claim(failed), 0, PNG), /was not made/);
});
