import fc from 'fast-check';
import { MODEL } from './http.ts';

/** Any JSON value at all, or an object that is nearly a request: the second finds the deeper faults. */

const VIDEO_FIELDS = [
  'model',
  'prompt',
  'seconds',
  'duration',
  'size',
  'resolution',
  'aspectRatio',
  'negativePrompt',
  'seed',
  'metadata',
  'input_reference',
  'last_frame',
  'lastFrame',
  'reference_images',
  'referenceImages',
  'reference_type',
  '__proto__',
];

/** Accepted videos fail at once, so that none of them is rendered. */
const failing = (prompt: unknown): unknown =>
  typeof prompt === 'string' && prompt.trim() !== '' ? `${prompt}[sample: error 400]` : prompt;

export const anyVideo = fc.oneof(
  fc.jsonValue(),
  fc
    .dictionary(
      fc.constantFrom(...VIDEO_FIELDS),
      fc.oneof(fc.jsonValue(), fc.constantFrom('8', 4, '16:9', '4k', {}, [], '')),
    )
    .map((fields) => ({
      model: MODEL,
      ...fields,
      prompt: failing('prompt' in fields ? fields.prompt : 'a'),
    })),
);

/** As the unit `binary`, whose table of a million characters takes half a second. */
const anyCharacter = fc
  .nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

const FILE_FIELDS = ['filename', 'bytes', 'mime_type', 'purpose', 'expires_after', 'sha256', '__proto__'];
const FILE = { filename: 'a.png', bytes: 9, mime_type: 'image/png', purpose: 'vision' };

export const anyFile = fc.oneof(
  fc.jsonValue(),
  fc
    .dictionary(fc.constantFrom(...FILE_FIELDS), fc.oneof(fc.jsonValue(), fc.string({ unit: anyCharacter })))
    .map((fields) => ({ ...FILE, ...fields })),
);

export const WEBHOOK = { name: 'Hook', url: 'https://hooks.example.com', event_types: ['video.failed'] };
const WEBHOOK_FIELDS = [...Object.keys(WEBHOOK), 'keep_old_secret_active_for_24_hours', '__proto__'];

export const anyWebhookChange = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(...WEBHOOK_FIELDS),
    fc.oneof(
      fc.jsonValue(),
      // The table of `webUrl` takes a second.
      fc
        .tuple(fc.domain(), fc.string({ unit: anyCharacter }))
        .map(([host, path]) => `https://${host}/${path}`),
      fc.constantFrom(...Object.values(WEBHOOK), 'https://[::1]', '', true),
    ),
  ),
);
