import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_CALL_SECONDS, LONGEST_WAIT_SECONDS } from '../../functions/agents/domain/tools.ts';
import { DEFAULT_DAYS } from '../../functions/billing/api/usage-query.ts';
import { BUDGET_THRESHOLDS } from '../../functions/billing/domain/budget.ts';
import { MAX_KEPT_MEGABYTES } from '../../functions/billing/domain/kept-storage.ts';
import { IMAGE_SIZES, RATIO_TOLERANCE_PERCENT } from '../../functions/catalogue/domain/image-sizes.ts';
import {
  ANY_VIDEO_MODEL,
  DEFAULT_REQUEST_MEGABYTES,
  largestImage,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_SIDE,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  pixelSizes,
} from '../../functions/catalogue/domain/models.ts';
import { MAX_FILES } from '../../functions/files/api/file-object.ts';
import {
  FILE_LIFETIME_SECONDS,
  MAX_FILE_NAME_CHARACTERS,
  MAX_INPUT_FILES,
  REMOVED_FILE_LIFETIME,
  UPLOAD_LIFETIME,
} from '../../functions/files/domain/files.ts';
import { MAX_CHUNK_BYTES } from '../../functions/files/domain/uploads.ts';
import { KEEP_MILLISECONDS } from '../../functions/identity/authentication/authenticate.ts';
import { MAX_KEY_SECONDS } from '../../functions/identity/domain/api-key.ts';
import { AUDIT_DAYS } from '../../functions/identity/domain/audit.ts';
import { MAX_SAMPLES } from '../../functions/images/api/imagen.ts';
import { LEAST_IMAGE_TOKENS } from '../../functions/images/api/text-requests.ts';
import { MAX_COLLECTED, MAX_COLLECTIONS } from '../../functions/library/domain/collections.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../functions/platform/api/pages.ts';
import { DAY, HOUR, MINUTE, SECOND, SIGNED_URL_SECONDS } from '../../functions/platform/domain/durations.ts';
import { ERRORS } from '../../functions/platform/domain/errors.ts';
import { MAX_NAME_CHARACTERS } from '../../functions/platform/domain/text.ts';
import { corsHeaders } from '../../functions/platform/runtime/cors.ts';
import { MAX_SHARES, SHARE_SECONDS } from '../../functions/shares/domain/share.ts';
import {
  MAX_SEED as MAX_IMAGE_SEED,
  MAX_IMAGES,
  MAX_PARTS,
  MAX_TURNS,
} from '../../functions/upstream/domain/image-request.ts';
import { POLL_SECONDS } from '../../functions/videos/api/video-object.ts';
import {
  FETCH_DEADLINE,
  GENERATION_DEADLINE,
  QUEUE_DEADLINE,
  REFUSAL_DEADLINE,
} from '../../functions/videos/domain/schedule.ts';
import { MAX_POSITION } from '../../functions/videos/domain/task.ts';
import { FAILING_LIMIT, RETRY_DELAYS } from '../../functions/webhooks/domain/webhook-delivery.ts';
import { MAX_WEBHOOK_URL } from '../../functions/webhooks/domain/webhook-url.ts';
import { MAX_ENDPOINTS } from '../../functions/webhooks/domain/webhooks.ts';
import { readConfig } from '../../lib/config.ts';
import { signInSchema } from '../../lib/sign-in-schema.ts';
import { namesInCell, readDocument, section, tableRows } from './sections.ts';

const count = new Intl.NumberFormat('en-US').format;
const amount = (value: number, unit: string): string => `${count(value)} ${unit}${value === 1 ? '' : 's'}`;
const seconds = (milliseconds: number): string => amount(milliseconds / SECOND, 'second');
const minutes = (milliseconds: number): string => amount(milliseconds / MINUTE, 'minute');
const hours = (milliseconds: number): string => amount(milliseconds / HOUR, 'hour');
const days = (milliseconds: number): string => amount(milliseconds / DAY, 'day');
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

const inWords = (milliseconds: number): string => {
  if (milliseconds < MINUTE) return seconds(milliseconds);
  return milliseconds < HOUR ? minutes(milliseconds) : hours(milliseconds);
};
const delays = RETRY_DELAYS.map(inWords);
const RETRIES = `after ${delays.slice(0, -1).join(', ')} and ${delays.at(-1)}, each up to 10 % later`;

const { videoRetentionDays, fileRetentionDays, fileStorageMegabytes, ...config } = readConfig({});
const IMAGE = megabytes(largestImage(DEFAULT_REQUEST_MEGABYTES));
const PAGE = `\`limit\` (1–${MAX_LIMIT}, default ${DEFAULT_LIMIT})`;
const poll = POLL_SECONDS;
const signIn = signInSchema.parse({});

/** The sentences of the documents that repeat a number of the code. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/api.md': [
    PAGE,
    `\`limit\` (1–${count(MAX_FILES)}, default all)`,
    `302 to a signed URL of the MP4, valid for ${minutes(SIGNED_URL_SECONDS * SECOND)}`,
    `a polling interval: ${seconds(poll.first * SECOND)}, then ${poll.later} once the task is ${poll.laterFrom} seconds old; ${poll.inLine} while it waits`,
    `Accepts a multipart form, or JSON for up to ${IMAGE}`,
    `An integer from 0 to ${MAX_SEED}`,
    `1–${MAX_FILE_NAME_CHARACTERS} characters; 1–${count(largestImage(DEFAULT_REQUEST_MEGABYTES))};`,
    `\`seconds\` ${FILE_LIFETIME_SECONDS.least}–${FILE_LIFETIME_SECONDS.most}`,
    `Lifetime, default ${fileRetentionDays} days unless`,
    `accepts one upload within ${minutes(UPLOAD_LIFETIME)}`,
    `count against the storage of the account, ${count(fileStorageMegabytes)} MB unless`,
    `count for up to ${REMOVED_FILE_LIFETIME / HOUR + 1} more hours`,
    `below ${count(LEAST_IMAGE_TOKENS)}, the tokens of an image`,
    `The upstream did not accept the task within ${hours(QUEUE_DEADLINE)}.`,
    `The upstream was not done after ${minutes(GENERATION_DEADLINE)}, or could not be reached for ${hours(FETCH_DEADLINE)}.`,
    `\`${MAX_POSITION}\` if it is larger`,
    `(${days(videoRetentionDays * DAY)} unless configured)`,
    `\`name\` (1–${MAX_NAME_CHARACTERS} characters, null removes it)`,
    `in an order (up to ${MAX_COLLECTED})`,
    `an account has up to ${MAX_COLLECTIONS}`,
    `(${SHARE_SECONDS.least}–${SHARE_SECONDS.most}, default ${SHARE_SECONDS.default})`,
    `up to ${count(MAX_PROMPT_CHARACTERS)} characters)`,
    `| ${[...pixelSizes(ANY_VIDEO_MODEL).keys()].join(', ')} |`,
    `| ${count(MAX_PROMPT_CHARACTERS)} characters each |`,
    `${IMAGE} and ${count(MAX_IMAGE_SIDE)} pixels per side`,
    `; ${MAX_INPUT_FILES} files in an image request |`,
    `| ${IMAGE} together,`,
    `an image may have up to ${megabytes(MAX_IMAGE_BYTES)}`,
    `within ${RATIO_TOLERANCE_PERCENT} % of an aspect ratio`,
    `| ${IMAGE_SIZES.join(', ')} |`,
    `| Images per request | ${MAX_IMAGES}; 4 at 4K, or 2 as \`png\` |`,
    `| Files | ${IMAGE} each; ${count(fileStorageMegabytes)} MB per account and ${fileRetentionDays} days unless configured.`,
    `${MAX_TURNS} turns (\`contents\`) or messages with ${MAX_PARTS} parts each`,
    `${count(config.throttleRequestsPerSecond)} per route and method, ${config.imageThrottleRequestsPerSecond} per image route`,
    `| ${MAX_ENDPOINTS} per account; names of ${MAX_NAME_CHARACTERS} characters, URLs of ${count(MAX_WEBHOOK_URL)} |`,
    `| ${count(MAX_SHARES)} live links per account; ${hours(SHARE_SECONDS.least * SECOND)} to ${days(SHARE_SECONDS.most * SECOND)} |`,
    `| ${hours(QUEUE_DEADLINE)}, then \`queue_timeout\` |`,
    `| ${minutes(GENERATION_DEADLINE)} from submission if`,
    `| ${hours(FETCH_DEADLINE)}; ten minutes if the upstream keeps refusing the file`,
  ],
  'docs/account.md': [
    PAGE,
    `\`expires_in_seconds\` (1–${MAX_KEY_SECONDS})`,
    `it is rejected everywhere within ${seconds(KEEP_MILLISECONDS)}`,
    `A session ends ${signIn.idleHours} hours after its last renewal, and ${signIn.maxDays} days after the sign-in`,
    `\`limit_megabytes\` (0–${count(MAX_KEPT_MEGABYTES)},`,
    `\`limit\`: 1–31 days, default ${DEFAULT_DAYS}`,
    `Entries are kept for ${AUDIT_DAYS} days`,
  ],
  'docs/formats.md': [
    `In chunks of at most ${(MAX_CHUNK_BYTES / 1024 ** 2).toFixed(1)} MB`,
    `\`wait_seconds\` (0–${LONGEST_WAIT_SECONDS})`,
    `No call lasts longer than ${LONGEST_CALL_SECONDS} seconds`,
    `An integer from 0 to ${MAX_IMAGE_SEED} for the first image`,
    `1–${MAX_SAMPLES}, default 1; at most 2 at 4K as PNG`,
  ],
  'docs/webhooks.md': [
    `sent again ${RETRIES}`,
    `has failed for ${FAILING_LIMIT / DAY === 3 ? 'three' : ''} days without a success`,
    `${BUDGET_THRESHOLDS.map((threshold) => `${threshold} %`).join(' or ')} of the monthly budget`,
  ],
  'docs/architecture.md': [
    `repeated ${RETRIES}`,
    `| ${hours(QUEUE_DEADLINE)} | \`queue_timeout\` |`,
    `| ${minutes(GENERATION_DEADLINE)} from submission | \`generation_timeout\` |`,
    `| ${hours(FETCH_DEADLINE)} | \`upstream_unavailable\` |`,
    `| ${minutes(REFUSAL_DEADLINE)} without other responses |`,
  ],
};

for (const [file, sentences] of Object.entries(SENTENCES))
  test(`${file} repeats the numbers of the code`, () => {
    const text = readDocument(file);
    const missing = sentences.filter((sentence) => !text.includes(sentence));
    assert.deepEqual(missing, []);
  });

test('docs/api.md says which errors a client should not try again', () => {
  const rows = tableRows(['docs/api.md', '## Errors']).filter(([, , meaning = '']) =>
    meaning.includes('`x-should-retry: false`'),
  );
  const final = Object.entries(ERRORS).flatMap(([code, row]) => ('retry' in row ? [code] : []));
  assert.deepEqual(rows.flatMap(([codes]) => namesInCell(codes)).toSorted(), final.toSorted());
});

test('docs/api.md names the headers that a page may read', () => {
  const origin = 'https://app.example.com';
  const { 'access-control-expose-headers': exposed = '' } = corsHeaders(() => origin, [origin]);
  const [, list = ''] = section(['docs/api.md', '## Browser access']).split(
    "allow the page's origin to read ",
  );
  const named = namesInCell(list.split('. ')[0]);
  assert.deepEqual(named.toSorted(), exposed.split(', ').toSorted());
});
