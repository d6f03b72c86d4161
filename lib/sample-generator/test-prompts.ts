import * as z from 'zod';

export const RESOLUTIONS = ['720p', '1080p', '4k'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The statuses that a test prompt can ask for. */
const ERROR_CODES = [400, 401, 402, 403, 404, 408, 429, 500, 502, 503, 504] as const;
const TRANSIENT: readonly number[] = [408, 429, 500, 502, 503, 504];

const repeatSchema = z.union([z.number(), z.literal('always')]);
type Repeat = z.infer<typeof repeatSchema>;

/** `file` is the public download URL; `content` is where it redirects to. */
const placeSchema = z.enum(['create', 'poll', 'file', 'content']);
export type Place = z.infer<typeof placeSchema>;

const where = { place: placeSchema, repeat: repeatSchema };
const faultSchema = z.union([
  z.object({
    ...where,
    kind: z.literal('error'),
    code: z.literal(ERROR_CODES),
    retrySeconds: z.number().exactOptional(),
  }),
  z.object({ ...where, kind: z.enum(['daily-quota', 'reset', 'hang', 'truncated']) }),
]);
export type Fault = z.infer<typeof faultSchema>;

const endingSchema = z.union([
  z.object({ kind: z.enum(['filtered', 'no-video', 'never']) }),
  z.object({ kind: z.literal('error'), code: z.number() }),
]);
export type Ending = z.infer<typeof endingSchema>;

/** The behaviour that the test prompts in a prompt ask for. */
export const testPromptsSchema = z.object({
  faults: z.array(faultSchema),
  delaySeconds: z.number().exactOptional(),
  slowStartSeconds: z.number().exactOptional(),
  ending: endingSchema.exactOptional(),
  samples: z.number().exactOptional(),
  inlineVideo: z.boolean().exactOptional(),
  notMp4: z.boolean().exactOptional(),
  foreignRedirect: z.boolean().exactOptional(),
  deliveredResolution: z.enum(RESOLUTIONS).exactOptional(),
  deliveredSeconds: z.number().exactOptional(),
  /** The status of a video that has not ended. */
  runningStatus: z.string().exactOptional(),
  errorAs: z.enum(['text', 'null']).exactOptional(),
  megabytes: z.number().exactOptional(),
  credentials: z.boolean().exactOptional(),
  blocked: z.string().exactOptional(),
  textOnly: z.boolean().exactOptional(),
  drafts: z.number().exactOptional(),
  truncatedImage: z.boolean().exactOptional(),
});
export type TestPrompts = z.infer<typeof testPromptsSchema>;

export type Medium = 'video' | 'image';
const BOTH: readonly Medium[] = ['video', 'image'];
const VIDEO: readonly Medium[] = ['video'];
const IMAGE: readonly Medium[] = ['image'];

/** The parts of a test prompt that vary: its numbers, the repetition, and a word for which the row has a pattern. */
type Given = {
  readonly numbers: readonly number[];
  readonly repeat: Repeat | undefined;
  readonly word: string;
};
type Read = (given: Given) => Partial<TestPrompts> | undefined;

const always =
  (testPrompts: Partial<TestPrompts>): Read =>
  () =>
    testPrompts;

/** Undefined if the number is out of range, as for an unknown test prompt. */
const number =
  (low: number, high: number, read: (value: number) => Partial<TestPrompts>): Read =>
  ({ numbers: [value = Number.NaN] }) =>
    value >= low && value <= high ? read(value) : undefined;

const whole =
  (...[low, high, read]: Parameters<typeof number>): Read =>
  (given) =>
    Number.isInteger(given.numbers[0]) ? number(low, high, read)(given) : undefined;

const breaks =
  (place: Place, kind: 'reset' | 'hang' | 'truncated'): Read =>
  ({ repeat = 1 }) => ({ faults: [{ place, kind, repeat }] });

const fails =
  (place: Place): Read =>
  ({ numbers: [given, retrySeconds], repeat }) => {
    const code = ERROR_CODES.find((known) => known === given);
    if (code === undefined) return undefined;
    // The service would take it for a model that the upstream has retired, and refuse the model for hours.
    if (place === 'create' && code === 404) return undefined;
    const isTransient = TRANSIENT.includes(code) || (place === 'file' && code === 403);
    const retry = retrySeconds === undefined ? {} : { retrySeconds };
    return {
      faults: [{ place, kind: 'error', code, repeat: repeat ?? (isTransient ? 1 : 'always'), ...retry }],
    };
  };

const LONGEST_WAIT = 86_400;
const FINAL_STATUSES = ['completed', 'succeeded', 'failed', 'cancelled', 'canceled', 'expired', 'error'];

type TestPrompt = readonly [syntax: string, media: readonly Medium[], read: Read, word?: RegExp];

/**
 * The test prompts that a prompt may contain anywhere: `A cat [sample: delay 20s, error 503]`. A number stands for any
 * other one. A transient failure occurs once, or `times N`, before the request succeeds; with `always` it never succeeds.
 */
export const TEST_PROMPTS: readonly TestPrompt[] = [
  ['delay 20s', BOTH, number(0, LONGEST_WAIT, (delaySeconds) => ({ delaySeconds }))],
  ['slow start 5s', BOTH, number(0, LONGEST_WAIT, (slowStartSeconds) => ({ slowStartSeconds }))],
  ['error 500 [times N | always]', BOTH, fails('create')],
  ['busy [times N | always]', BOTH, (given) => fails('create')({ ...given, numbers: [429] })],
  ['error 429 retry 3s [times N | always]', BOTH, fails('create')],
  [
    'error 429 per-day',
    BOTH,
    whole(429, 429, () => ({ faults: [{ place: 'create', kind: 'daily-quota', repeat: 'always' }] })),
  ],
  ['reset [times N | always]', BOTH, breaks('create', 'reset')],
  ['hang [times N | always]', BOTH, breaks('create', 'hang')],
  ['poll error 503 [times N | always]', VIDEO, fails('poll')],
  ['poll error 404', VIDEO, fails('poll')],
  ['poll reset [times N | always]', VIDEO, breaks('poll', 'reset')],
  ['poll hang [times N | always]', VIDEO, breaks('poll', 'hang')],
  ['filtered', VIDEO, always({ ending: { kind: 'filtered' } })],
  ['done with error 13', VIDEO, whole(1, 16, (code) => ({ ending: { kind: 'error', code } }))],
  ['done without video', VIDEO, always({ ending: { kind: 'no-video' } })],
  ['never done', VIDEO, always({ ending: { kind: 'never' } })],
  ['samples 2', VIDEO, whole(1, 4, (samples) => ({ samples }))],
  ['inline video', VIDEO, always({ inlineVideo: true })],
  [
    'deliver 720p',
    VIDEO,
    ({ word }) => {
      const deliveredResolution = RESOLUTIONS.find((known) => known === word.toLowerCase());
      return deliveredResolution && { deliveredResolution };
    },
    /\d+p|4k/,
  ],
  ['deliver 4s', VIDEO, whole(1, 8, (deliveredSeconds) => ({ deliveredSeconds }))],
  [
    'status processing',
    VIDEO,
    ({ word }) => (FINAL_STATUSES.includes(word) ? undefined : { runningStatus: word }),
    /[a-z_]{1,30}/,
  ],
  ['error as text', VIDEO, always({ errorAs: 'text' })],
  ['error as null', VIDEO, always({ errorAs: 'null' })],
  ['file error 403 [times N | always]', VIDEO, fails('file')],
  ['file reset [times N | always]', VIDEO, breaks('file', 'reset')],
  ['file hang [times N | always]', VIDEO, breaks('file', 'hang')],
  ['file truncated [times N | always]', VIDEO, breaks('content', 'truncated')],
  ['file not mp4', VIDEO, always({ notMp4: true })],
  ['file redirect', VIDEO, always({ foreignRedirect: true })],
  ['size 25MB', BOTH, whole(1, 2000, (megabytes) => ({ megabytes }))],
  ['credentials', BOTH, always({ credentials: true })],
  [
    'blocked [IMAGE_SAFETY | PROHIBITED_CONTENT | NO_IMAGE]',
    IMAGE,
    ({ word }) => ({ blocked: word.toUpperCase() || 'PROMPT' }),
  ],
  ['text only', IMAGE, always({ textOnly: true })],
  ['drafts 2', IMAGE, whole(1, 4, (drafts) => ({ drafts }))],
  ['truncated image', IMAGE, always({ truncatedImage: true })],
];
