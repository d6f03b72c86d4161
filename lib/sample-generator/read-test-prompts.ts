import { TEST_PROMPTS, type TestPromptName } from './test-prompts.ts';
import { type ErrorStatus, invalid, shortened } from './upstream-error.ts';

export const RESOLUTIONS = ['720p', '1080p', '4k'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The statuses that a test prompt can ask for. */
const ERROR_CODES = [
  400, 401, 402, 403, 404, 408, 429, 500, 502, 503, 504,
] as const satisfies readonly ErrorStatus[];
type ErrorCode = (typeof ERROR_CODES)[number];

type Repeat = number | 'always';

/** `file` is the public download URL; `content` is where it redirects to. */
export type Place = 'create' | 'poll' | 'file' | 'content';

type FaultKind =
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly retrySeconds?: number }
  | { readonly kind: 'daily-quota' | 'reset' | 'hang' | 'truncated' };

export type Fault = { readonly place: Place; readonly repeat: Repeat } & FaultKind;

export type Ending =
  | { readonly kind: 'filtered' | 'no-video' | 'never' }
  | { readonly kind: 'error'; readonly code: number };

/** The behaviour that the test prompts in a prompt ask for. */
export type TestPrompts = {
  readonly faults: readonly Fault[];
  readonly delaySeconds?: number;
  readonly slowStartSeconds?: number;
  readonly ending?: Ending;
  readonly samples?: number;
  readonly inlineVideo?: boolean;
  readonly notMp4?: boolean;
  readonly foreignRedirect?: boolean;
  readonly deliveredResolution?: Resolution;
  readonly deliveredSeconds?: number;
  /** The status of a video that has not ended. */
  readonly runningStatus?: string;
  readonly errorAs?: 'text' | 'null';
  readonly megabytes?: number;
  readonly credentials?: boolean;
  readonly blocked?: string;
  readonly textOnly?: boolean;
  readonly drafts?: number;
  readonly truncatedImage?: boolean;
};

export const isErrorCode = (code: number): code is ErrorCode => ERROR_CODES.some((known) => known === code);

type Reading = readonly [pattern: RegExp, read: (groups: Groups) => Partial<TestPrompts> | undefined];
type Groups = Readonly<Record<string, string | undefined>>;

const REPEAT = String.raw`(?: (?:times (?<times>\d{1,3})|(?<always>always)))?`;
const pattern = (source: string) => new RegExp(`^${source}$`, 'i');
const numberIn = (text: string | undefined) => Number(text ?? Number.NaN);
const TRANSIENT: readonly number[] = [408, 429, 500, 502, 503, 504];

const repeat = ({ times, always }: Groups, byDefault: Repeat = 1): Repeat =>
  always !== undefined ? 'always' : times !== undefined ? Number(times) : byDefault;

const fault = (value: Fault): Partial<TestPrompts> => ({ faults: [value] });

const breaks =
  (place: Place, kind: 'reset' | 'hang' | 'truncated') =>
  (groups: Groups): Partial<TestPrompts> =>
    fault({ place, kind, repeat: repeat(groups) });

const httpError = (place: Place, groups: Groups): Partial<TestPrompts> | undefined => {
  const code = numberIn(groups.code);
  if (!isErrorCode(code)) return undefined;
  const isTransient = TRANSIENT.includes(code) || (place === 'file' && code === 403);
  const times = repeat(groups, isTransient ? 1 : 'always');
  const retrySeconds = groups.retry === undefined ? {} : { retrySeconds: Number(groups.retry) };
  return fault({ place, kind: 'error', code, repeat: times, ...retrySeconds });
};

const LONGEST_WAIT = 86_400;
const within = (value: number, low: number, high: number) => value >= low && value <= high;
const FINAL_STATUSES = ['completed', 'succeeded', 'failed', 'cancelled', 'canceled', 'expired', 'error'];
const ERROR = String.raw`error (?<code>\d{3})(?: retry (?<retry>\d+(?:\.\d+)?)s)?${REPEAT}`;

/** The pattern of each test prompt and its meaning; a value out of range is treated as an unknown test prompt. */
const READINGS: Record<TestPromptName, Reading> = {
  delay: [
    pattern(String.raw`delay (?<seconds>\d+(?:\.\d+)?)s`),
    (g) => (within(numberIn(g.seconds), 0, LONGEST_WAIT) ? { delaySeconds: numberIn(g.seconds) } : undefined),
  ],
  'slow-start': [
    pattern(String.raw`slow start (?<seconds>\d+(?:\.\d+)?)s`),
    (g) =>
      within(numberIn(g.seconds), 0, LONGEST_WAIT) ? { slowStartSeconds: numberIn(g.seconds) } : undefined,
  ],
  error: [pattern(ERROR), (g) => httpError('create', g)],
  busy: [pattern(`busy${REPEAT}`), (g) => httpError('create', { ...g, code: '429' })],
  'rate-limit': [pattern(ERROR), (g) => httpError('create', g)],
  'daily-quota': [
    pattern('error 429 per-day'),
    () => fault({ place: 'create', kind: 'daily-quota', repeat: 'always' }),
  ],
  reset: [pattern(`reset${REPEAT}`), breaks('create', 'reset')],
  hang: [pattern(`hang${REPEAT}`), breaks('create', 'hang')],
  'poll-error': [pattern(`poll ${ERROR}`), (g) => httpError('poll', g)],
  vanish: [pattern('poll error 404'), (g) => httpError('poll', { ...g, code: '404' })],
  'poll-reset': [pattern(`poll reset${REPEAT}`), breaks('poll', 'reset')],
  'poll-hang': [pattern(`poll hang${REPEAT}`), breaks('poll', 'hang')],
  filtered: [pattern('filtered'), () => ({ ending: { kind: 'filtered' } })],
  'done-with-error': [
    pattern(String.raw`done with error (?<code>\d{1,2})`),
    (g) =>
      within(numberIn(g.code), 1, 16) ? { ending: { kind: 'error', code: numberIn(g.code) } } : undefined,
  ],
  'done-without-video': [pattern('done without video'), () => ({ ending: { kind: 'no-video' } })],
  'never-done': [pattern('never done'), () => ({ ending: { kind: 'never' } })],
  samples: [
    pattern(String.raw`samples (?<count>\d)`),
    (g) => (within(numberIn(g.count), 1, 4) ? { samples: numberIn(g.count) } : undefined),
  ],
  'inline-video': [pattern('inline video'), () => ({ inlineVideo: true })],
  'deliver-resolution': [
    pattern(String.raw`deliver (?<resolution>\d{3,4}p|4k)`),
    (g) => {
      const deliveredResolution = RESOLUTIONS.find((known) => known === g.resolution?.toLowerCase());
      return deliveredResolution && { deliveredResolution };
    },
  ],
  'deliver-seconds': [
    pattern(String.raw`deliver (?<seconds>\d)s`),
    (g) => (within(numberIn(g.seconds), 1, 8) ? { deliveredSeconds: numberIn(g.seconds) } : undefined),
  ],
  status: [
    pattern('status (?<word>[a-z_]{1,30})'),
    (g) => (FINAL_STATUSES.includes(g.word ?? '') ? undefined : { runningStatus: g.word ?? '' }),
  ],
  'error-as-text': [pattern('error as text'), () => ({ errorAs: 'text' })],
  'error-as-null': [pattern('error as null'), () => ({ errorAs: 'null' })],
  'file-error': [pattern(`file ${ERROR}`), (g) => httpError('file', g)],
  'file-reset': [pattern(`file reset${REPEAT}`), breaks('file', 'reset')],
  'file-hang': [pattern(`file hang${REPEAT}`), breaks('file', 'hang')],
  'file-truncated': [pattern(`file truncated${REPEAT}`), breaks('content', 'truncated')],
  'file-not-mp4': [pattern('file not mp4'), () => ({ notMp4: true })],
  'file-redirect': [pattern('file redirect'), () => ({ foreignRedirect: true })],
  size: [
    pattern(String.raw`size (?<megabytes>\d{1,4})MB`),
    (g) => (within(numberIn(g.megabytes), 1, 2000) ? { megabytes: numberIn(g.megabytes) } : undefined),
  ],
  credentials: [pattern('credentials'), () => ({ credentials: true })],
  blocked: [
    pattern('blocked(?: (?<reason>IMAGE_SAFETY|PROHIBITED_CONTENT|NO_IMAGE))?'),
    (g) => ({ blocked: g.reason?.toUpperCase() ?? 'PROMPT' }),
  ],
  'text-only': [pattern('text only'), () => ({ textOnly: true })],
  drafts: [
    pattern(String.raw`drafts (?<count>\d)`),
    (g) => (within(numberIn(g.count), 1, 4) ? { drafts: numberIn(g.count) } : undefined),
  ],
  'truncated-image': [pattern('truncated image'), () => ({ truncatedImage: true })],
};

const supportedBy = (medium: 'video' | 'image') =>
  TEST_PROMPTS.filter(({ media }) => media.some((candidate) => candidate === medium));

const readOne = (text: string, medium: 'video' | 'image'): Partial<TestPrompts> => {
  for (const { name } of supportedBy(medium)) {
    const [matcher, read] = READINGS[name];
    const match = matcher.exec(text);
    const testPrompts = match === null ? undefined : read({ ...match.groups });
    if (testPrompts !== undefined) return testPrompts;
  }
  const list = supportedBy(medium)
    .map(({ syntax }) => syntax)
    .join('; ');
  throw invalid(
    `Unknown test prompt "${shortened(text)}" for ${medium}s. The sample generator supports: ${list}.`,
  );
};

const MAX_TEST_PROMPTS = 100;
const OPENING = /\[sample:/gi;

/** The contents of each `[sample: …]`, and the prompt without them. An unclosed bracket belongs to the prompt. */
const splitPrompt = (prompt: string) => {
  const lists: string[] = [];
  const rest: string[] = [];
  let taken = 0;
  for (const { index, 0: opening } of prompt.matchAll(OPENING)) {
    if (index < taken) continue;
    const end = prompt.indexOf(']', index);
    // No later opening is closed either, and searching for each would take quadratic time.
    if (end === -1) break;
    rest.push(prompt.slice(taken, index));
    lists.push(prompt.slice(index + opening.length, end));
    taken = end + 1;
  }
  return { lists, rest: [...rest, prompt.slice(taken)].join(' ') };
};

const ON_UPSTREAM = /^on=(\S+) (.*)$/i;

/** A test prompt after `on=NAME` has no effect on other upstreams. */
const readOneFor = (text: string, medium: 'video' | 'image', upstream: string): Partial<TestPrompts> => {
  const [, name, rest] = ON_UPSTREAM.exec(text) ?? [];
  const testPrompts = readOne(rest ?? text, medium);
  return name === undefined || name === upstream ? testPrompts : {};
};

/** Separates the test prompts from the prompt, so that they affect neither the caption nor the cache key. */
export const readPrompt = (
  prompt: string,
  medium: 'video' | 'image',
  upstream = '',
): { prompt: string; testPrompts: TestPrompts } => {
  const { lists, rest } = splitPrompt(prompt);
  const texts = lists
    .flatMap((list) => list.split(/[,;]/))
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => text !== '');
  if (texts.length > MAX_TEST_PROMPTS)
    throw invalid(`A prompt can contain at most ${MAX_TEST_PROMPTS} test prompts.`);
  const testPrompts = texts.map((text) => readOneFor(text, medium, upstream));
  const faults = testPrompts.flatMap((testPrompt) => testPrompt.faults ?? []);
  return {
    prompt: rest.replace(/\s+/g, ' ').trim(),
    testPrompts: Object.assign({}, ...testPrompts, { faults }),
  };
};
