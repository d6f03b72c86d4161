import { type Medium, TEST_PROMPTS, type TestPrompts } from './test-prompts.ts';
import { invalid, shortened } from './upstream-error.ts';

const NUMBER = String.raw`\d{1,5}(?:\.\d{1,9})?`;
const REPEAT = String.raw`(?: (?:times (?<times>\d{1,3})|(?<always>always)))?`;

/** The syntax with its numbers and choices as groups; the pattern of a word stands for the last part. */
const toPattern = (syntax: string, word: RegExp | undefined): RegExp => {
  const [, start = syntax, choices] = /^(.*?) \[(.*)\]$/.exec(syntax) ?? [];
  const names = ['first', 'second'].values();
  const fixed =
    word === undefined
      ? start.replace(/\b\d+/g, () => `(?<${names.next().value}>${NUMBER})`)
      : start.replace(/\S+$/, `(?<word>${word.source})`);
  const choice = choices?.startsWith('times') ? REPEAT : `(?: (?<word>${choices?.replaceAll(' ', '')}))?`;
  return new RegExp(`^${fixed}${choices === undefined ? '' : choice}$`, 'i');
};

const READERS = TEST_PROMPTS.map(([syntax, media, read, word]) => {
  const pattern = toPattern(syntax, word);
  const readText = (text: string): Partial<TestPrompts> | undefined => {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const { first, second, times, always, word: found = '' } = match.groups ?? {};
    const numbers = [first, second].flatMap((part) => (part === undefined ? [] : Number(part)));
    const repeat = always !== undefined ? 'always' : times === undefined ? undefined : Number(times);
    return read({ numbers, repeat, word: found });
  };
  return { syntax, media, readText };
});

const readOne = (text: string, medium: Medium): Partial<TestPrompts> => {
  const readers = READERS.filter(({ media }) => media.includes(medium));
  for (const { readText } of readers) {
    const testPrompts = readText(text);
    if (testPrompts !== undefined) return testPrompts;
  }
  const list = readers.map(({ syntax }) => syntax).join('; ');
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
const readOneFor = (text: string, medium: Medium, upstream: string): Partial<TestPrompts> => {
  const [, name, rest] = ON_UPSTREAM.exec(text) ?? [];
  const testPrompts = readOne(rest ?? text, medium);
  return name === undefined || name === upstream ? testPrompts : {};
};

/** Separates the test prompts from the prompt, so that they affect neither the caption nor the cache key. */
export const readPrompt = (
  prompt: string,
  medium: Medium,
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
