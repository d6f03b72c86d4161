import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readJob } from '../../../../functions/upstream/adapters/video-jobs.ts';

const readError = (error: unknown) => {
  const job = readJob({ status: 'failed', error });
  return job.state === 'failed' ? job.error : assert.fail(job.state);
};

describe('the error of a failed job', () => {
  const NO = 'upstream_unavailable';

  for (const [error, code, message] of [
    [undefined, NO, 'The generator failed.'],
    [null, NO, 'The generator failed.'],
    ['', NO, 'The generator failed.'],
    ['Oh.', NO, 'Oh.'],
    [{ message: 'Oh.' }, NO, 'Oh.'],
    [{ code: 'server_error', message: '' }, NO, 'The generator failed.'],
    [{ code: 3, message: 'Oh.' }, NO, 'Oh.'],
    [{ code: null, message: 'Oh.', type: 'invalid_request_error' }, 'upstream_rejected', 'Oh.'],
    [{ error: { message: 'Oh.', type: 'server_error', code: null } }, NO, 'Oh.'],
    [{ error: { message: 'Oh.', type: 'x', code: 'content_policy_violation' } }, 'content_blocked', 'Oh.'],
    [{ error: 'Oh.' }, NO, 'The generator failed.'],
    [{ message: 7, code: 'rate_limited' }, 'rate_limited', 'The generator failed.'],
    [['Oh.'], NO, 'The generator failed.'],
    [7, NO, 'The generator failed.'],
  ] as const)
    test(`${JSON.stringify(error)} has the code ${code}`, () =>
      assert.deepEqual(readError(error), { code, message }));

  const CODES = {
    content_blocked: 'content_blocked content_policy_violation moderation_blocked',
    rate_limited: 'rate_limited rate_limit_exceeded rate_limit_error',
    upstream_rejected:
      'upstream_rejected invalid_request invalid_request_error invalid_value invalid_parameter invalid_prompt invalid_image',
    generation_timeout: 'generation_timeout',
    queue_timeout: 'queue_timeout',
    model_unavailable: 'model_unavailable',
    // Nobody has cancelled the task here, and nothing has failed here.
    upstream_unavailable: 'upstream_unavailable cancelled internal invalid_api_key toString',
  };
  for (const [ours, codes] of Object.entries(CODES))
    for (const theirs of codes.split(' '))
      test(`with the code ${theirs} is ${ours}`, () =>
        assert.equal(readError({ code: theirs, message: 'Oh.' }).code, ours));

  for (const [message, code] of [
    ['Veo could not generate 1 videos. Support codes: 42237218', 'content_blocked'],
    ['Your image violates the guidelines. Support code: 15236754.', 'content_blocked'],
    ['Contact support: code 5', NO],
  ] as const)
    test(`with the text "${message}" is ${code}`, () => assert.equal(readError(message).code, code));

  test('has its own code even if the text has a support code', () => {
    const error = { code: 'upstream_rejected', message: 'No. Support codes: 1' };
    assert.equal(readError(error).code, 'upstream_rejected');
  });

  test('has a message of at most 500 characters, cut between characters', () => {
    const { message } = readError(`${'a'.repeat(499)}${'🦊'.repeat(300)}`);
    assert.equal(message.length, 499);
    assert.ok(message.isWellFormed());
  });
});

for (const status of ['queued', 'in_progress', 'processing', 'pending', 'unknown', 'toString', 'constructor'])
  test(`a job that is ${status} is pending`, () =>
    assert.deepEqual(readJob({ status }), { state: 'pending' }));

for (const [status, message] of [
  ['failed', 'The generator failed.'],
  ['error', 'The generator failed.'],
  ['cancelled', 'The generator cancelled the video.'],
  ['canceled', 'The generator cancelled the video.'],
  ['expired', 'The video expired at the generator.'],
] as const)
  test(`a job that is ${status} has failed`, () =>
    assert.deepEqual(readJob({ status }), {
      state: 'failed',
      error: { code: 'upstream_unavailable', message },
    }));

test('a job is done with the first of its addresses', () => {
  const urls = { unsigned_urls: ['/1', '/2'] };
  for (const status of ['completed', 'succeeded'])
    assert.deepEqual(readJob({ status, ...urls }), { state: 'done', address: '/1', cost: undefined });
});

for (const job of [null, 7, [], {}, { status: 7 }])
  test(`the job ${JSON.stringify(job)} cannot be read now`, () =>
    assert.throws(() => readJob(job), { name: 'UpstreamError', fault: 'failing' }));
