import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAnswer } from '../../../../functions/upstream/adapters/image-format.ts';
import { readTokenError } from '../../../../functions/upstream/adapters/token-errors.ts';
import { readFailure } from '../../../../functions/upstream/adapters/upstream-http.ts';
import { openInlineVideo, readOperationState } from '../../../../functions/upstream/adapters/video-format.ts';
import { RECORDED_ERRORS, RECORDED_TOKEN_ERRORS } from './errors.ts';
import { IMAGE_DATA_LENGTH, IMAGE_WITH_SIGNATURE, SIGNATURE_LENGTH } from './gemini-images.ts';
import { INLINE_VIDEO, RECORDED_OPERATIONS } from './video-operations.ts';

test('a recorded image response with a long signature yields its image, its tokens and the signature for the next turn', () => {
  const answer = readAnswer(IMAGE_WITH_SIGNATURE);
  assert.ok(answer.outcome === 'image');
  assert.deepEqual([answer.image.mimeType, answer.image.base64.length], ['image/jpeg', IMAGE_DATA_LENGTH]);
  assert.deepEqual([answer.text, answer.cutShort], ['', false]);
  assert.deepEqual(answer.tokens, { prompt: 10, output: 1392, total: 1402 });
  assert.equal(answer.promptImageTokens, 0);
  assert.equal(JSON.stringify(answer.document).includes('B'.repeat(SIGNATURE_LENGTH)), true);
});

describe('a recorded error', () => {
  const EXPECTED = {
    busy: ['busy', 34.4],
    thinkingLevel: ['rejected', undefined],
    vertexBusy: ['busy', undefined],
    impersonationDenied: ['operator', undefined],
  } as const satisfies Record<keyof typeof RECORDED_ERRORS, readonly [string, number | undefined]>;

  for (const [name, body] of Object.entries(RECORDED_ERRORS))
    test(`${name} keeps its message and has the right fault`, async () => {
      const { code: status, message } = body.error;
      const { error } = await readFailure(Response.json(body, { status }));
      const expected = Object.entries(EXPECTED).find(([key]) => key === name)?.[1];
      assert.deepEqual(
        [[error.fault, error.retryAfterSeconds], error.message, error.httpStatus],
        [expected, message, status],
      );
    });
});

describe('a recorded refusal of an access token', () => {
  const explain = async (step: 'exchange' | 'impersonation', body: object, status: number) => {
    const { fault, message } = await readTokenError('vertex-us', step, Response.json(body, { status }));
    assert.equal(fault, 'operator');
    return message;
  };

  for (const [name, remedy] of [
    ['wrongAudience', /"vertex-us" does not work: its audience names no enabled workload identity provider/],
    ['malformedAudience', /its audience names no enabled workload identity provider/],
    ['malformedRequest', /check the AWS account ID of the provider/],
  ] as const)
    test(`${name} says what to fix`, async () =>
      assert.match(await explain('exchange', RECORDED_TOKEN_ERRORS[name], 400), remedy));

  test('impersonationDenied says which role to grant', async () => {
    const message = await explain('impersonation', RECORDED_ERRORS.impersonationDenied, 403);
    assert.match(message, /grant it roles\/iam\.workloadIdentityUser on the service account/);
  });
});

describe('a recorded operation', () => {
  const body = (operation: object) => new Blob([JSON.stringify(operation)]).stream();
  const read = (operation: object) => readOperationState(body(operation), (uri) => uri);
  const { vertexPending, vertexStored, vertexInline, vertexFiltered, vertexRefused, geminiFiltered } =
    RECORDED_OPERATIONS;
  const blocked = ([message]: readonly string[]) => ({
    state: 'failed',
    error: { code: 'content_blocked', message },
  });

  for (const [title, operation, state] of [
    ['that is pending', vertexPending, { state: 'pending' }],
    [
      'with a stored video',
      vertexStored,
      { state: 'done', source: { kind: 'address', uri: 'gs://bucket/1762941823/sample_0.mp4' } },
    ],
    ['that contains its video', vertexInline, { state: 'done', source: { kind: 'inline' } }],
    ['that Vertex AI filtered', vertexFiltered, blocked(vertexFiltered.response.raiMediaFilteredReasons)],
    [
      'that the Gemini API filtered',
      geminiFiltered,
      blocked(geminiFiltered.response.generateVideoResponse.raiMediaFilteredReasons),
    ],
    [
      'that was refused',
      vertexRefused,
      { state: 'failed', error: { code: 'upstream_rejected', message: vertexRefused.error.message } },
    ],
  ] as const)
    test(`${title} has this state`, async () => assert.deepEqual(await read(operation), state));

  test('yields the bytes of the video that it contains', async () => {
    const video = Buffer.concat(await Array.fromAsync(await openInlineVideo(body(vertexInline))));
    assert.ok(video.equals(INLINE_VIDEO));
  });
});
