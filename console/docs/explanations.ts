import { ERRORS, type ErrorCode } from '../../functions/platform/domain/errors.ts';
import {
  DURATIONS,
  MAX_IMAGE_SIDE,
  MAX_PROMPT_CHARACTERS,
  MAX_REFERENCE_IMAGES,
} from '../../functions/platform/domain/models.ts';

/** Tables that the console and docs/api.md share; a test compares the two. Backticks mark code. */

type Explanation = { readonly codes: readonly ErrorCode[]; readonly meaning: string };

const EXPLANATIONS: readonly Explanation[] = [
  {
    codes: [
      'invalid_request',
      'INVALID_ARGUMENT',
      'invalid_image',
      'remote_image_not_supported',
      'not_offered',
    ],
    meaning: '`param` names the field, the message lists the accepted values',
  },
  {
    codes: ['unknown_parameter'],
    meaning: 'The request has a field that does not exist; the message names the one to send',
  },
  {
    codes: ['upstream_rejected', 'content_blocked'],
    meaning: 'The upstream rejected the request; the message says why',
  },
  {
    codes: ['webhook_unreachable'],
    meaning: 'The webhook endpoint did not respond to a sample event; the message says why',
  },
  {
    codes: ['invalid_api_key'],
    meaning: 'The key is missing, malformed, unknown, revoked or expired',
  },
  {
    codes: ['insufficient_permissions'],
    meaning: 'The request needs an admin key, or a plain key instead of an admin key',
  },
  {
    codes: ['model_not_found', 'video_not_found', 'file_not_found', 'not_found'],
    meaning:
      'It does not exist or belongs to another account. `not_found` is also the code of unknown routes',
  },
  {
    codes: ['request_in_progress'],
    meaning: 'A request for images with the same `Idempotency-Key` is running. Try again when it has ended',
  },
  {
    codes: ['concurrent_update'],
    meaning: 'Too many requests changed the same object at once. Nothing was changed; try again',
  },
  {
    codes: [
      'video_not_ready',
      'video_failed',
      'video_completed',
      'video_in_progress',
      'file_not_ready',
      'idempotency_key_reused',
      'webhook_endpoint_limit',
      'webhook_endpoint_disabled',
      'webhook_delivery_in_progress',
    ],
    meaning: 'The request does not fit the current state, which the message explains',
  },
  { codes: ['video_expired'], meaning: 'The file is past its retention' },
  { codes: ['request_too_large'], meaning: 'The request is too large; see the limits' },
  { codes: ['unsupported_media_type'], meaning: 'The body is neither JSON nor a multipart form' },
  {
    codes: ['rate_limited'],
    meaning: 'Too many requests. `Retry-After` says when to try again',
  },
  {
    codes: ['insufficient_quota'],
    meaning:
      'The request exceeds a monthly budget or the file storage of the account; the message has the numbers. `Retry-After` is present if waiting helps',
  },
  { codes: ['internal'], meaning: 'An error of the service, logged with the request id' },
  {
    codes: ['image_not_converted'],
    meaning:
      'The image was generated and charged, but could not be converted to the requested format. With `x-should-retry: false`',
  },
  {
    codes: ['upstream_unavailable'],
    meaning: 'The upstream cannot be reached. `Retry-After` says when to try again',
  },
  {
    codes: ['overloaded'],
    meaning: 'The service cannot accept more work at the moment. `Retry-After` says when to try again',
  },
];

/** One row per meaning, with the HTTP status that its codes share. */
export const ERROR_ROWS = EXPLANATIONS.map(({ codes, meaning }) => ({
  codes,
  http: Math.max(...codes.map((code) => ERRORS[code].http)),
  meaning,
}));

const LAST_DURATION = DURATIONS[DURATIONS.length - 1];

export const limitRows = (
  formatNumber: (value: number) => string,
): readonly (readonly [name: string, limit: string])[] => [
  [
    'Duration',
    `${DURATIONS.slice(0, -1).join(', ')} or ${LAST_DURATION} seconds; only ${LAST_DURATION} for 1080p, 4k, first and last frame, and reference images`,
  ],
  ['Prompt, negative prompt', `${formatNumber(MAX_PROMPT_CHARACTERS)} characters each`],
  ['Images', `JPEG, PNG or WebP; 20 MB and ${formatNumber(MAX_IMAGE_SIDE)} pixels per side`],
  ['Reference images', `${MAX_REFERENCE_IMAGES} per video`],
  ['Request body', 'About 4.4 MB; larger images are uploaded as files first'],
];
