import { describeDurations, describeReferences } from '../../functions/catalogue/domain/describe-models.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/catalogue/domain/image-sizes.ts';
import {
  ANY_VIDEO_MODEL,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_SIDE,
  MAX_PROMPT_CHARACTERS,
  pixelSizes,
} from '../../functions/catalogue/domain/models.ts';
import { MAX_INPUT_FILES } from '../../functions/files/domain/files.ts';
import { ERRORS, type ErrorCode } from '../../functions/platform/domain/errors.ts';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';

/** Tables that the console and docs/api.md share; a test compares the two. Backticks mark code. */

type ErrorMeaning = {
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  readonly meaning: string;
  /** What the sender of the request can do. */
  readonly remedy: string;
};

const MEANINGS: readonly ErrorMeaning[] = [
  {
    codes: [
      'invalid_request',
      'INVALID_ARGUMENT',
      'invalid_image',
      'remote_image_not_supported',
      'not_offered',
    ],
    meaning: '`param` names the field, the message lists the accepted values',
    remedy: 'Correct the field that the message names, then send the request again',
  },
  {
    codes: ['remote_image_not_loaded'],
    meaning: 'An image could not be loaded from its address; the message says why',
    remedy: 'Check that everybody can open the address, or send the image as a file or Base64',
  },
  {
    codes: ['unknown_parameter'],
    meaning: 'The request has a field that does not exist; the message names the one to send',
    remedy: 'Rename the field as the message says, or leave it out',
  },
  {
    codes: ['upstream_rejected', 'content_blocked'],
    meaning: 'The upstream rejected the request; the message says why',
    remedy: 'Change the prompt, the images or the options as the message says',
  },
  {
    codes: ['webhook_unreachable'],
    meaning: 'The webhook endpoint did not respond to a sample event; the message says why',
    remedy: 'Check the URL, the certificate and the firewall of your server, then try again',
  },
  {
    codes: ['invalid_api_key'],
    meaning: 'The key is missing, malformed, unknown, revoked or expired',
    remedy:
      'Send a valid key in the header of the API; create one in the console if it was revoked or has expired',
  },
  {
    codes: ['session_renewal_required'],
    meaning: 'The provider has not confirmed the person of the console session for an hour',
    remedy: 'Renew the session, or sign in again; keys are not affected',
  },
  {
    codes: ['insufficient_permissions'],
    meaning: 'The request needs a key of another kind, or the role of the person does not allow it',
    remedy: 'Use a key of the kind that the message names, or ask an admin for the role',
  },
  {
    codes: ['model_not_found', 'video_not_found', 'file_not_found', 'not_found'],
    meaning:
      'It does not exist or belongs to another account. `not_found` is also the code of unknown routes',
    remedy: 'Check the ID and the key: both must belong to the same account',
  },
  {
    codes: ['request_in_progress'],
    meaning: 'A request for images with the same `Idempotency-Key` is running. Try again when it has ended',
    remedy: 'Wait a few seconds, then send the same request again',
  },
  {
    codes: ['concurrent_update'],
    meaning: 'Too many requests changed the same object at once. Nothing was changed; try again',
    remedy: 'Send the request again',
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
      'share_limit',
      'collection_limit',
    ],
    meaning: 'The request does not fit the current state, which the message explains',
    remedy:
      'Read the state first, or wait for a webhook; for `idempotency_key_reused`, use a new key for each request',
  },
  {
    codes: ['video_expired'],
    meaning: 'The retention period of the file has ended',
    remedy: 'Create the video again, and download it within its retention',
  },
  {
    codes: ['request_too_large'],
    meaning: 'The request is too large; see the limits',
    remedy: 'Upload large images as files first, and name them by ID',
  },
  {
    codes: ['unsupported_media_type'],
    meaning: 'The body is neither JSON nor a multipart form',
    remedy: 'Set `Content-Type` to `application/json` or `multipart/form-data`',
  },
  {
    codes: ['rate_limited'],
    meaning: 'Too many requests. `Retry-After` says when to try again',
    remedy: 'Wait for `Retry-After`, then send the request again',
  },
  {
    codes: ['insufficient_quota'],
    meaning:
      'The request exceeds a monthly budget or the file storage of the account; the message has the numbers. `Retry-After` is present if waiting helps',
    remedy: 'Wait for the next UTC month, raise the budget, or delete files',
  },
  {
    codes: ['internal'],
    meaning: 'An internal error of the service, logged with the request ID',
    remedy: 'Try again; if it happens again, send the request ID to the operator',
  },
  {
    codes: ['image_not_converted'],
    meaning:
      'The image was generated and charged, but could not be converted to the requested format. With `x-should-retry: false`',
    remedy: 'Take the image from the files of the account, or ask for `jpeg`',
  },
  {
    codes: ['model_unavailable'],
    meaning: 'No upstream of this deployment offers the model any more',
    remedy: 'Use another model, or ask the operator',
  },
  {
    codes: ['upstream_unavailable'],
    meaning: 'The upstream cannot be reached. `Retry-After` says when to try again',
    remedy: 'Wait for `Retry-After`, then try again; if it lasts, ask the operator',
  },
  {
    codes: ['overloaded'],
    meaning: 'The service cannot accept more work at the moment. `Retry-After` says when to try again',
    remedy: 'Wait for `Retry-After`, then try again',
  },
];

/** With the status that the codes of a row share. */
export const ERROR_ROWS = MEANINGS.map((row) => ({ ...row, http: ERRORS[row.codes[0]].http }));

/** `imageBytes` is the most that the images of a request may have together. */
export const limitRows = (
  formatNumber: (value: number) => string,
  imageBytes: number,
): readonly (readonly [name: string, limit: string])[] => [
  ['Duration', describeDurations()],
  ['`size`', [...pixelSizes(ANY_VIDEO_MODEL).keys()].join(', ')],
  ['Prompt, negative prompt', `${formatNumber(MAX_PROMPT_CHARACTERS)} characters each`],
  [
    'Images',
    `JPEG, PNG or WebP; ${formatMegabytes(Math.min(MAX_IMAGE_BYTES, imageBytes))} and ${formatNumber(MAX_IMAGE_SIDE)} pixels per side`,
  ],
  ['All images of a request', `${formatMegabytes(imageBytes)} together`],
  ['Reference images', `${describeReferences()}; ${MAX_INPUT_FILES} files in an image request`],
  ['Image aspect ratios', IMAGE_ASPECT_RATIOS.join(', ')],
  ['Image sizes', IMAGE_SIZES.join(', ')],
  ['Images per request', '10; 4 at 4K, or 2 as `png`'],
  ['Request body', 'About 4.4 MB; larger images are uploaded as files first'],
  [
    'Files',
    `${formatMegabytes(Math.min(MAX_IMAGE_BYTES, imageBytes))} each; 2,000 MB per account and 2 days unless configured`,
  ],
  ['JSON', '100 levels'],
  ['Lists in an image request', '200 turns (`contents`) or messages with 64 parts each'],
  ['Requests per second', '1,000 per route and method, 10 per image route'],
  ['Webhook endpoints', '10 per account; names of 100 characters, URLs of 2,048'],
  ['Share links', '1,000 live links per account'],
  ['Wait for the upstream', '6 hours, then `queue_timeout`'],
  ['Generation', '30 minutes from submission'],
  ['Fetching the finished video', '24 hours'],
];
