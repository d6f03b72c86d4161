import type { VideoErrorCode } from '../../../../functions/upstream/domain/video-generator.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import * as answers from './upstream-answers.ts';
import type { UpstreamAnswers } from './upstream-server.ts';

export type Behaviour = {
  readonly name: string;
  readonly answers: UpstreamAnswers;
  /** `completed`, or the error code of the failed task. */
  readonly outcome: 'completed' | VideoErrorCode;
  readonly submits: number;
  /** The message for the owner of the task, if it matters. */
  readonly message?: string;
  /** Whether it depends on the protocol of the Gemini API. */
  readonly isGemini?: boolean;
  /** Whether it needs dozens of calls, and tests the patience of the worker, which is the same at every kind. */
  readonly isLong?: boolean;
  /** The minimum and maximum duration of the task in seconds of its own clock. */
  readonly seconds?: readonly [atLeast: number, atMost: number];
};

const { error, started, sample, file } = answers;
const retryIn = (retryDelay: string) => [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
const quotaViolation = (quotaId: string) => [{ violations: [{ quotaId }] }];
const busy = (details: readonly unknown[]) => error(429, 'RESOURCE_EXHAUSTED', 'Slow down.', details);
/** Ten minutes of refusals, until the next attempt. */
const REFUSED_FOR_GOOD = [600, 900] as const;
const A_DAY = [86_400, 86_410] as const;
const REFUSED = 'Resolution 1080p requires duration seconds to be 8 seconds, but got 6';

export const SUBMIT_BEHAVIOURS: readonly Behaviour[] = [
  { name: 'one sample', answers: {}, outcome: 'completed', submits: 1 },
  {
    name: '429 with RetryInfo',
    answers: { submit: [busy(retryIn('34s')), started] },
    outcome: 'completed',
    submits: 2,
    seconds: [34, 60],
  },
  {
    name: '429 that asks to wait for two days',
    answers: { submit: [busy(retryIn('172800s'))] },
    outcome: 'queue_timeout',
    submits: 1,
    seconds: [21_600, 21_600],
  },
  {
    name: '429 for a daily quota',
    answers: { submit: [busy(quotaViolation('GenerateRequestsPerDayPerProject'))] },
    outcome: 'rate_limited',
    submits: 1,
  },
  {
    name: '429 for a quota per minute',
    answers: { submit: [busy(quotaViolation('GenerateRequestsPerMinutePerProject')), started] },
    outcome: 'completed',
    submits: 2,
  },
  {
    name: '500 once',
    answers: { submit: [error(500, 'INTERNAL', 'Oh.'), started] },
    outcome: 'completed',
    submits: 2,
  },
  {
    name: '500 forever',
    isLong: true,
    answers: { submit: [error(500, 'INTERNAL', 'Oh.')] },
    outcome: 'queue_timeout',
    submits: 79,
    seconds: [21_600, 21_600],
  },
  { name: 'HTML 503', answers: { submit: [answers.html(503), started] }, outcome: 'completed', submits: 2 },
  { name: 'reset once', answers: { submit: [answers.reset, started] }, outcome: 'completed', submits: 2 },
  { name: 'reset twice', answers: { submit: [answers.reset] }, outcome: 'upstream_unavailable', submits: 2 },
  { name: 'silence once', answers: { submit: [answers.silence, started] }, outcome: 'completed', submits: 2 },
  { name: 'silence', answers: { submit: [answers.silence] }, outcome: 'upstream_unavailable', submits: 2 },
  {
    name: 'an answer without an operation',
    answers: { submit: [answers.json(200, {})] },
    outcome: 'upstream_unavailable',
    submits: 2,
  },
  ...[408, 502, 504].map((status) => ({
    name: `${status}, behind which the work may be done`,
    answers: { submit: [answers.html(status)] },
    outcome: 'upstream_unavailable' as const,
    submits: 2,
  })),
  {
    name: '400',
    answers: { submit: [error(400, 'INVALID_ARGUMENT', REFUSED)] },
    outcome: 'upstream_rejected',
    submits: 1,
    message: REFUSED,
  },
  {
    name: '400 because of our key',
    answers: { submit: [error(400, 'INVALID_ARGUMENT', 'Bad key.', [{ reason: 'API_KEY_INVALID' }])] },
    outcome: 'upstream_unavailable',
    submits: 1,
    message: 'The generator is not available.',
  },
  {
    name: 'redirected call',
    answers: { submit: [answers.redirectElsewhere] },
    outcome: 'upstream_unavailable',
    submits: 1,
  },
];

export const CHECK_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'done with error 13',
    isGemini: true,
    answers: { check: [answers.pending, answers.doneWithError(13, 'Internal trouble.')] },
    outcome: 'upstream_unavailable',
    submits: 1,
  },
  {
    name: 'done with error 3',
    isGemini: true,
    answers: { check: [answers.doneWithError(3, 'Not this picture.')] },
    outcome: 'upstream_rejected',
    submits: 1,
    message: 'Not this picture.',
  },
  {
    name: 'filtered',
    isGemini: true,
    answers: {
      check: [answers.done({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Too grim.'] })],
    },
    outcome: 'content_blocked',
    submits: 1,
    message: 'Too grim.',
  },
  {
    name: 'done without video',
    isGemini: true,
    answers: { check: [answers.done({ generatedSamples: [] })] },
    outcome: 'upstream_unavailable',
    submits: 1,
  },
  {
    name: 'two samples',
    isGemini: true,
    answers: { check: [answers.twoSamples] },
    outcome: 'completed',
    submits: 1,
  },
  {
    name: 'inline video',
    isGemini: true,
    answers: { check: [answers.inlineSample] },
    outcome: 'completed',
    submits: 1,
  },
  ...['http://[', 'file:///etc/passwd', 'data:video/mp4,x'].map(
    (uri): Behaviour => ({
      name: `video at ${uri}`,
      isGemini: true,
      answers: { check: [answers.done({ generatedSamples: [{ video: { uri } }] })] },
      outcome: 'upstream_unavailable',
      submits: 1,
      seconds: REFUSED_FOR_GOOD,
    }),
  ),
  {
    name: 'operation 404',
    answers: { check: [error(404, 'NOT_FOUND', 'No such operation.')] },
    outcome: 'upstream_unavailable',
    submits: 1,
  },
  {
    name: 'never done',
    isLong: true,
    answers: { check: [answers.pending] },
    outcome: 'generation_timeout',
    submits: 1,
    seconds: [1800, 1808],
  },
  {
    name: 'checks that always ask to wait for two hours',
    answers: { check: [busy(retryIn('7200s'))] },
    outcome: 'generation_timeout',
    submits: 1,
    seconds: A_DAY,
  },
  {
    name: 'checks that fail for three hours although the video is done',
    isLong: true,
    answers: { check: [...Array.from({ length: 92 }, () => answers.html(503)), sample] },
    outcome: 'completed',
    submits: 1,
    seconds: [3 * 3600, 4 * 3600],
  },
  {
    name: 'checks that fail for an hour, then a pending operation',
    isLong: true,
    answers: { check: [...Array.from({ length: 66 }, () => answers.html(503)), answers.pending] },
    outcome: 'generation_timeout',
    submits: 1,
    seconds: [3000, 4500],
  },
  {
    name: 'checks that fail in every way before one works',
    answers: {
      check: [
        answers.silence,
        answers.reset,
        answers.html(503),
        answers.html(200),
        error(500, '', ''),
        sample,
      ],
    },
    outcome: 'completed',
    submits: 1,
  },
];

const cutOff = answers.bytes(wholeMp4().subarray(0, 40));
const page = answers.html(200);
const missing = error(403, 'PERMISSION_DENIED', 'No such file.');

export const FILE_BEHAVIOURS: readonly Behaviour[] = [
  { name: 'file 403 once', answers: { file: [missing, file] }, outcome: 'completed', submits: 1 },
  {
    name: 'file 403',
    answers: { file: [missing] },
    outcome: 'upstream_unavailable',
    submits: 1,
    seconds: REFUSED_FOR_GOOD,
  },
  {
    name: 'file 401 for half a day, until the operator fixes the key',
    isLong: true,
    answers: { file: [...Array.from({ length: 192 }, () => error(401, 'UNAUTHENTICATED', 'No.')), file] },
    outcome: 'completed',
    submits: 1,
    seconds: [11 * 3600, 13 * 3600],
  },
  {
    name: 'file host down for two hours, with refusals in between',
    isLong: true,
    answers: {
      file: [
        ...Array.from({ length: 78 }, (_, turn) => (turn % 3 === 0 ? missing : answers.html(503))),
        file,
      ],
    },
    outcome: 'completed',
    submits: 1,
    seconds: [6000, 9000],
  },
  { name: 'file cut off once', answers: { file: [cutOff, file] }, outcome: 'completed', submits: 1 },
  {
    name: 'file broken off once',
    answers: { file: [answers.brokenOff, file] },
    outcome: 'completed',
    submits: 1,
  },
  {
    name: 'file cut off or broken off',
    isLong: true,
    answers: {
      file: Array.from({ length: 400 }, (_, turn) => (turn % 2 === 0 ? cutOff : answers.brokenOff)),
    },
    outcome: 'upstream_unavailable',
    submits: 1,
    seconds: A_DAY,
  },
  {
    name: 'not an MP4',
    answers: { file: [page] },
    outcome: 'upstream_unavailable',
    submits: 1,
    seconds: REFUSED_FOR_GOOD,
  },
  {
    name: 'half of the file byte by byte',
    answers: { file: [answers.trickle, file] },
    outcome: 'completed',
    submits: 1,
  },
  { name: 'silent file once', answers: { file: [answers.silence, file] }, outcome: 'completed', submits: 1 },
  {
    name: 'six redirects twice, of which five are followed',
    answers: { file: [...Array.from({ length: 12 }, () => answers.redirectElsewhere), file] },
    outcome: 'completed',
    submits: 1,
    seconds: [8, 8],
  },
];
