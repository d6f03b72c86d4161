import type { VideoErrorCode } from '../../../../functions/upstream/domain/video-generator.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import * as answers from './upstream-answers.ts';
import type { Answer, UpstreamAnswers } from './upstream-server.ts';

type Expected = {
  /** The error code of the failed task; absent if it completes. */
  readonly outcome?: VideoErrorCode;
  /** 1 by default. */
  readonly submits?: number;
  /** The message for the owner of the task, if it matters. */
  readonly message?: string;
  /** Whether it needs dozens of calls, and tests the patience of the worker, which is the same at every kind. */
  readonly isLong?: boolean;
  /** The minimum and maximum duration of the task in seconds of its own clock. */
  readonly seconds?: readonly [atLeast: number, atMost: number];
};

export type Behaviour = Expected & { readonly name: string; readonly answers: UpstreamAnswers };

type Row = readonly [name: string, answers: readonly Answer[], expected?: Expected];

const { error, html, started, sample, file } = answers;
const retryIn = (retryDelay: string) => [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
const quotaViolation = (quotaId: string) => [{ violations: [{ quotaId }] }];
const busy = (details: readonly unknown[]) => error(429, 'RESOURCE_EXHAUSTED', 'Slow down.', details);
const rejected = (message: string, details: readonly unknown[] = []) =>
  error(400, 'INVALID_ARGUMENT', message, details);
const repeat = (times: number, answer: (turn: number) => Answer): readonly Answer[] =>
  Array.from({ length: times }, (_, turn) => answer(turn));
const UNAVAILABLE = { outcome: 'upstream_unavailable' } as const;
const TWICE = { submits: 2 } as const;
/** Ten minutes of refusals, until the next attempt. */
const REFUSED_FOR_GOOD = { ...UNAVAILABLE, seconds: [600, 900] } as const;
const A_DAY = [86_400, 86_410] as const;
const REFUSED = 'Resolution 1080p requires duration seconds to be 8 seconds, but got 6';

const SUBMITS: readonly Row[] = [
  ['one sample', [started]],
  ['429 with RetryInfo', [busy(retryIn('34s')), started], { ...TWICE, seconds: [34, 60] }],
  [
    '429 that asks to wait for two days',
    [busy(retryIn('172800s'))],
    { outcome: 'queue_timeout', submits: 6, seconds: [21_600, 21_600] },
  ],
  [
    '429 that asks to wait for years',
    [answers.busyFor('9'.repeat(400)), started],
    { ...TWICE, seconds: [3600, 4510] },
  ],
  ['429 for a daily quota', [busy(quotaViolation('CallsPerDayPerProject'))], { outcome: 'rate_limited' }],
  ['429 for a quota per minute', [busy(quotaViolation('CallsPerMinutePerProject')), started], TWICE],
  ['500 once', [error(500, 'INTERNAL', 'Oh.'), started], TWICE],
  ['HTML 503', [html(503), started], TWICE],
  ['reset once', [answers.reset, started], TWICE],
  ['reset twice', [answers.reset], { ...UNAVAILABLE, ...TWICE }],
  ['a header of 100 KB once', [answers.hugeHeader, started], TWICE],
  ['silence once', [answers.silence, started], TWICE],
  ['silence', [answers.silence], { ...UNAVAILABLE, ...TWICE }],
  ['an answer without an operation', [answers.json(200, {})], { ...UNAVAILABLE, ...TWICE }],
  ['502, behind which the work may be done', [html(502)], { ...UNAVAILABLE, ...TWICE }],
  ['400', [rejected(REFUSED)], { outcome: 'upstream_rejected', message: REFUSED }],
  [
    '400 because of our key',
    [rejected('Bad key.', [{ reason: 'API_KEY_INVALID' }])],
    { ...UNAVAILABLE, message: 'The generator is not available.' },
  ],
  ['redirected call', [answers.redirectElsewhere], UNAVAILABLE],
];

const CHECKS: readonly Row[] = [
  ['operation 404', [error(404, 'NOT_FOUND', 'No such operation.')], UNAVAILABLE],
  [
    'checks that always ask to wait for two hours',
    [busy(retryIn('7200s'))],
    { isLong: true, outcome: 'generation_timeout', seconds: A_DAY },
  ],
  [
    'a check that asks to wait for years although the video is done',
    [answers.busyFor('9000000000000'), sample],
    { seconds: [600, 610] },
  ],
  [
    'checks that fail for three hours although the video is done',
    [...repeat(92, () => html(503)), sample],
    { isLong: true, seconds: [3 * 3600, 4 * 3600] },
  ],
  [
    'checks that fail for an hour, then a pending operation',
    [...repeat(66, () => html(503)), answers.pending],
    { isLong: true, outcome: 'generation_timeout', seconds: [3000, 4500] },
  ],
  [
    'checks that fail in every way before one works',
    [
      ...[answers.silence, answers.reset, answers.hugeHeader],
      ...[html(503), html(200), error(500, '', ''), sample],
    ],
  ],
];

const cutOff = answers.bytes(wholeMp4().subarray(0, 40));
const missing = error(403, 'PERMISSION_DENIED', 'No such file.');

const FILES: readonly Row[] = [
  ['file 429 that asks to wait for years', [answers.busyFor('9000000000000'), file], { seconds: [600, 610] }],
  ['file 403 once', [missing, file]],
  ['file 403', [missing], REFUSED_FOR_GOOD],
  [
    'file 401 for half a day, until the operator fixes the key',
    [...repeat(192, () => error(401, 'UNAUTHENTICATED', 'No.')), file],
    { isLong: true, seconds: [11 * 3600, 13 * 3600] },
  ],
  [
    'file host down for two hours, with refusals in between',
    [...repeat(78, (turn) => (turn % 3 === 0 ? missing : html(503))), file],
    { isLong: true, seconds: [6000, 9000] },
  ],
  ['file cut off once', [cutOff, file]],
  ['file broken off once', [answers.brokenOff, file]],
  [
    'file cut off or broken off',
    repeat(400, (turn) => (turn % 2 === 0 ? cutOff : answers.brokenOff)),
    { ...UNAVAILABLE, isLong: true, seconds: A_DAY },
  ],
  ['file with a header of 100 KB once', [answers.hugeHeader, file]],
  ['not an MP4', [html(200)], REFUSED_FOR_GOOD],
  ['half of the file byte by byte', [answers.trickle, file]],
  ['silent file once', [answers.silence, file]],
  [
    'six redirects twice, of which five are followed',
    [...repeat(12, () => answers.redirectElsewhere), file],
    { seconds: [8, 8] },
  ],
];

export const BEHAVIOURS: readonly Behaviour[] = Object.entries({
  submit: SUBMITS,
  check: CHECKS,
  file: FILES,
}).flatMap(([call, rows]) =>
  rows.map(([name, script, expected]) => ({ name, answers: { [call]: script }, ...expected })),
);
