import type { SentBody } from '../../support/create-in-memory.ts';
import { dataUri, JPEG, PNG } from '../../support/images.ts';

/** The result of an option: the object that shows it, the forwarded request, or the error. */
export type Outcome =
  | { readonly made: readonly [seconds: string, size: string]; readonly request?: object }
  | { readonly refused: readonly [param: string, code: string, says: RegExp] };

type Encoding = 'both' | 'JSON';
type OptionCase = readonly [options: Readonly<Record<string, unknown>>, Outcome, Encoding?];

const png = dataUri(PNG, 'image/png');
const jpeg = dataUri(JPEG, 'image/jpeg');

const DEFAULT: Outcome = { made: ['8', '1280x720'] };
const AUDIO: Outcome = { refused: ['generate_audio', 'INVALID_ARGUMENT', /controlled by the prompt/] };
const notOffered = (param: string, says: RegExp): Outcome => ({ refused: [param, 'not_offered', says] });
const invalid = (param: string, says: RegExp): Outcome => ({ refused: [param, 'invalid_request', says] });
const unknown = (param: string, says: RegExp): Outcome => ({ refused: [param, 'unknown_parameter', says] });
const CHARACTERS = /send reference_images, or describe them in the prompt/;
const REMIX = notOffered('remixed_from_video_id', /create a new video instead/);
const IMAGES = /send input_reference and last_frame, or reference_images/;
const SIZES = /1280x720, 720x1280, 1920x1080, 1080x1920, 3840x2160, 2160x3840/;

/** A row an option, in JSON and in a form: at top level, or in metadata where the row says so. */
const CREATE_OPTIONS: readonly OptionCase[] = [
  // Other names of the same.
  [{ aspect_ratio: '9:16' }, { made: ['8', '720x1280'] }],
  [{ metadata: { aspect_ratio: '9:16' } }, { made: ['8', '720x1280'] }],
  [{ aspect_ratio: '9:16', aspectRatio: '9:16' }, { made: ['8', '720x1280'] }],
  [{ duration_seconds: 4 }, { made: ['4', '1280x720'] }],
  [{ metadata: { duration_seconds: '6' } }, { made: ['6', '1280x720'] }],
  [{ duration_seconds: '6', durationSeconds: 6 }, { made: ['6', '1280x720'] }],
  [{ negative_prompt: 'rain' }, { made: ['8', '1280x720'], request: { negativePrompt: 'rain' } }],
  [
    { metadata: { negative_prompt: 'rain' } },
    { made: ['8', '1280x720'], request: { negativePrompt: 'rain' } },
  ],
  [{ image: png }, { made: ['8', '1280x720'], request: { images: 'first_frame image/png' } }],
  [{ metadata: { image: jpeg } }, { made: ['8', '1280x720'], request: { images: 'first_frame image/jpeg' } }],
  [
    { image: png, lastFrame: jpeg },
    { made: ['8', '1280x720'], request: { images: 'first_and_last_frame image/png image/jpeg' } },
  ],
  [{ reference_image: png }, { made: ['8', '1280x720'], request: { images: 'references image/png' } }],
  [
    { metadata: { referenceImages: [{ image: { bytesBase64Encoded: JPEG.toString('base64url') } }] } },
    { made: ['8', '1280x720'], request: { images: 'references image/jpeg' } },
    'JSON',
  ],
  [
    { image: dataUri(JPEG, 'image/png') },
    { made: ['8', '1280x720'], request: { images: 'first_frame image/jpeg' } },
  ],
  [{ width: 720, height: 1280 }, { made: ['8', '720x1280'] }],
  [{ width: '1920', height: '1080' }, { made: ['8', '1920x1080'] }],
  [{ metadata: { width: 720, height: 1280 } }, { made: ['8', '720x1280'] }],
  [{ width: 720, height: 1280, size: '720x1280' }, { made: ['8', '720x1280'] }],
  [{ n: 1 }, DEFAULT],
  [{ n: '1' }, DEFAULT],
  [{ metadata: { size: '720x1280', seconds: 4 } }, { made: ['4', '720x1280'] }],

  // Names that do not agree.
  [
    { aspect_ratio: '9:16', aspectRatio: '16:9' },
    invalid('aspect_ratio', /and aspectRatio differ: send one/),
  ],
  [
    { metadata: { negative_prompt: 'rain', negativePrompt: 'snow' } },
    invalid('metadata.negative_prompt', /and negativePrompt differ/),
  ],
  [{ duration_seconds: 4, durationSeconds: 6 }, invalid('duration_seconds', /and durationSeconds differ/)],
  [{ image: png, input_reference: jpeg }, invalid('image', /and input_reference differ/)],
  [
    { input_reference: png, metadata: { image: png } },
    invalid('metadata.image', /and input_reference are the same image/),
  ],
  [{ reference_image: png, referenceImages: jpeg }, invalid('referenceImages', /and reference_image differ/)],
  [{ width: 720, height: 1280, size: '1280x720' }, invalid('width', /with height and size differ/)],

  // Values that cannot be.
  [{ aspect_ratio: '1:1' }, invalid('aspect_ratio', /16:9, 9:16/)],
  [{ metadata: { aspect_ratio: '4:3' } }, invalid('metadata.aspect_ratio', /16:9, 9:16/)],
  [{ duration_seconds: 'x' }, invalid('duration_seconds', /whole number/)],
  [{ negative_prompt: 3 }, invalid('negative_prompt', /must be a string/), 'JSON'],
  [{ image: 'https://example.com/a.png' }, { refused: ['image', 'remote_image_not_supported', /data URI/] }],
  [{ width: 1024, height: 1024 }, invalid('width', SIZES)],
  [{ width: 1280 }, invalid('width', /requires height/)],
  [{ metadata: { height: 720 } }, invalid('metadata.height', /requires width/)],
  [{ width: '1280.0', height: 720 }, invalid('width', /whole number/)],
  [{ n: 2 }, invalid('n', /must be 1: each request creates one video/)],
  [{ n: 0 }, invalid('n', /must be 1/)],
  [{ metadata: { n: 4 } }, invalid('metadata.n', /must be 1/)],

  // Options that this service does not support.
  [{ generate_audio: true }, AUDIO],
  [{ metadata: { generate_audio: true } }, AUDIO],
  [{ characters: ['char_1'] }, notOffered('characters', CHARACTERS)],
  [{ metadata: { characters: 'char_1' } }, notOffered('metadata.characters', CHARACTERS)],
  [{ remixed_from_video_id: 'video_1' }, REMIX],
  [{ images: [png] }, notOffered('images', IMAGES)],
  [{ metadata: { images: png } }, notOffered('metadata.images', IMAGES)],
  [{ video: 'x' }, notOffered('video', /send images or text only/)],

  // Fields that this service does not have.
  [{ image_urls: [png] }, unknown('image_urls', /input_reference/)],
  [{ metadata: { image_urls: [png] } }, unknown('metadata.image_urls', /input_reference/)],
  [{ metadata: { picture: png } }, unknown('metadata.picture', /not an accepted field/)],
  [{ promt: 'x' }, unknown('promt', /Did you mean prompt/)],

  // Options that do not change the result.
  [{ user: 'u-1' }, DEFAULT],
  [{ safety_identifier: 's-1' }, DEFAULT],
  [{ metadata: { campaign: 'spring', user: 'u-1' } }, DEFAULT],
];

type Fields = Readonly<Record<string, unknown>>;

const toForm = (fields: Fields): FormData => {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) append(`${name}[]`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) append(`${name}[${key}]`, inner);
    else form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(fields)) append(name, value);
  return form;
};

const ENCODINGS = {
  JSON: (fields: Fields) => ({
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  }),
  form: (fields: Fields) => ({ body: toForm(fields) }),
} as const;

type SentOption = { readonly title: string; readonly sent: SentBody; readonly outcome: Outcome };

/** The rows as requests, in each of their encodings, with these fields beside the options. */
export const createOptionRequests = (base: Fields): SentOption[] =>
  CREATE_OPTIONS.flatMap(([options, outcome, encoding = 'both']) =>
    (encoding === 'JSON' ? (['JSON'] as const) : (['JSON', 'form'] as const)).map((name) => ({
      title: `${JSON.stringify(options).slice(0, 90)} as ${name}`,
      sent: ENCODINGS[name]({ ...base, ...options }),
      outcome,
    })),
  );

type ImageOutcome = 'made' | readonly [param: string, says: RegExp];

export const CHAT_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ tools: [], response_format: { type: 'text' }, n: 1, user: 'u', safety_identifier: 's' }, 'made'],
  [{ tools: null, response_format: null, metadata: { any: 'thing' }, tool_choice: 'none' }, 'made'],
  [{ tools: [{ type: 'function', function: { name: 'f' } }] }, ['tools', /calls no tools/]],
  [{ tools: {} }, ['tools', /not supported/]],
  [{ functions: [{ name: 'f' }] }, ['functions', /not supported/]],
  [{ response_format: { type: 'json_object' } }, ['response_format.type', /must be text/]],
  [{ response_format: { type: 'json_schema', json_schema: {} } }, ['response_format.type', /must be text/]],
  [{ response_format: {} }, ['response_format.type', /must be text/]],
  [{ response_format: 'text' }, ['response_format', /object/]],
  [{ n: 2 }, ['n', /must be 1/]],
];

const HARASSMENT = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };

export const NATIVE_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ safetySettings: [HARASSMENT], tools: [], labels: { team: 'a' } }, 'made'],
  [{ tools: [{ googleSearch: {} }] }, ['tools', /calls no tools/]],
  [{ cachedContent: 'cachedContents/1' }, ['cachedContent', /send the contents themselves/]],
  [{ cached_content: 'cachedContents/1' }, ['cached_content', /send the contents themselves/]],
  [{ safetySettings: [{ category: 'x' }] }, ['safetySettings[0].threshold', /is required/]],
];
