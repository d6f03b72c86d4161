import { type Directives, type Fault, isHttpErrorCode, type Repeat } from './directive-types.ts';
import type { TestPromptName } from './test-prompts.ts';

type Reading = readonly [pattern: RegExp, read: (groups: Groups) => Partial<Directives> | undefined];
type Groups = Readonly<Record<string, string | undefined>>;

const REPEAT = String.raw`(?: (?:times (?<times>\d{1,3})|(?<always>always)))?`;
const pattern = (source: string) => new RegExp(`^${source}$`, 'i');
const numberIn = (text: string | undefined) => Number(text ?? Number.NaN);
const HEALING: readonly number[] = [408, 429, 500, 502, 503, 504];

const repeat = ({ times, always }: Groups, unsaid: Repeat = 1): Repeat =>
  always !== undefined ? 'always' : times !== undefined ? Number(times) : unsaid;

const fault = (value: Fault): Partial<Directives> => ({ faults: [value] });

const refusal = (place: Fault['place'], groups: Groups): Partial<Directives> | undefined => {
  const code = numberIn(groups.code);
  if (!isHttpErrorCode(code)) return undefined;
  const heals = HEALING.includes(code) || (place === 'file' && code === 403);
  const retrySeconds = groups.retry === undefined ? {} : { retrySeconds: Number(groups.retry) };
  return fault({ place, kind: 'error', code, repeat: repeat(groups, heals ? 1 : 'always'), ...retrySeconds });
};

// A timer holds no more than some weeks; a day is enough.
const LONGEST_WAIT = 86_400;
const within = (value: number, low: number, high: number) => value >= low && value <= high;
const ERROR = String.raw`error (?<code>\d{3})(?: retry (?<retry>\d+(?:\.\d+)?)s)?${REPEAT}`;

/** How each test prompt is read; what a reading finds impossible is as good as unknown. */
export const READINGS: Record<TestPromptName, Reading> = {
  delay: [
    pattern(String.raw`delay (?<seconds>\d+(?:\.\d+)?)s`),
    (g) => (within(numberIn(g.seconds), 0, LONGEST_WAIT) ? { delaySeconds: numberIn(g.seconds) } : undefined),
  ],
  'slow-start': [
    pattern(String.raw`slow start (?<seconds>\d+(?:\.\d+)?)s`),
    (g) =>
      within(numberIn(g.seconds), 0, LONGEST_WAIT) ? { slowStartSeconds: numberIn(g.seconds) } : undefined,
  ],
  error: [pattern(ERROR), (g) => refusal('create', g)],
  'rate-limit': [pattern(ERROR), (g) => refusal('create', g)],
  'daily-quota': [
    pattern('error 429 per-day'),
    () => fault({ place: 'create', kind: 'daily-quota', repeat: 'always' }),
  ],
  reset: [pattern(`reset${REPEAT}`), (g) => fault({ place: 'create', kind: 'reset', repeat: repeat(g) })],
  hang: [pattern(`hang${REPEAT}`), (g) => fault({ place: 'create', kind: 'hang', repeat: repeat(g) })],
  'poll-error': [pattern(`poll ${ERROR}`), (g) => refusal('poll', g)],
  vanish: [pattern('poll error 404'), (g) => refusal('poll', { ...g, code: '404' })],
  'poll-reset': [
    pattern(`poll reset${REPEAT}`),
    (g) => fault({ place: 'poll', kind: 'reset', repeat: repeat(g) }),
  ],
  'poll-hang': [
    pattern(`poll hang${REPEAT}`),
    (g) => fault({ place: 'poll', kind: 'hang', repeat: repeat(g) }),
  ],
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
  'file-error': [pattern(`file ${ERROR}`), (g) => refusal('file', g)],
  'file-reset': [
    pattern(`file reset${REPEAT}`),
    (g) => fault({ place: 'file', kind: 'reset', repeat: repeat(g) }),
  ],
  'file-hang': [
    pattern(`file hang${REPEAT}`),
    (g) => fault({ place: 'file', kind: 'hang', repeat: repeat(g) }),
  ],
  'file-truncated': [
    pattern(`file truncated${REPEAT}`),
    (g) => fault({ place: 'content', kind: 'truncated', repeat: repeat(g) }),
  ],
  'file-not-mp4': [pattern('file not mp4'), () => ({ notMp4: true })],
  'file-redirect': [pattern('file redirect'), () => ({ foreignRedirect: true })],
  size: [
    pattern(String.raw`size (?<megabytes>\d{1,4})MB`),
    (g) => (within(numberIn(g.megabytes), 1, 2000) ? { megabytes: numberIn(g.megabytes) } : undefined),
  ],
  blocked: [
    pattern('blocked(?: (?<reason>IMAGE_SAFETY|PROHIBITED_CONTENT|NO_IMAGE))?'),
    (g) => ({ blocked: g.reason?.toUpperCase() ?? 'PROMPT' }),
  ],
  'text-only': [pattern('text only'), () => ({ textOnly: true })],
  drafts: [
    pattern(String.raw`drafts (?<count>\d)`),
    (g) => (within(numberIn(g.count), 1, 4) ? { drafts: numberIn(g.count) } : undefined),
  ],
};
