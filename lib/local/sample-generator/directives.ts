import { READINGS } from './directive-readings.ts';
import { TEST_PROMPTS } from './test-prompts.ts';
import { invalid } from './upstream-error.ts';
import type { Wishes } from './wishes.ts';

const known = (medium: 'video' | 'image') =>
  TEST_PROMPTS.filter(({ media }) => media.some((candidate) => candidate === medium));

const readOne = (text: string, medium: 'video' | 'image'): Partial<Wishes> => {
  for (const { name } of known(medium)) {
    const [matcher, read] = READINGS[name];
    const match = matcher.exec(text);
    const wishes = match === null ? undefined : read({ ...match.groups });
    if (wishes !== undefined) return wishes;
  }
  const list = known(medium)
    .map(({ syntax }) => syntax)
    .join('; ');
  throw invalid(
    `The sample generator does not know "${text}" in a prompt for ${medium}s. It knows: ${list}.`,
  );
};

const MARK = /\[sample:([^\]]*)\]/gi;

/** Takes the directives out of the prompt, so that the caption and the cache know only what is left. */
export const readPrompt = (prompt: string, medium: 'video' | 'image'): { prompt: string; wishes: Wishes } => {
  const wishes = [...prompt.matchAll(MARK)]
    .flatMap(([, list = '']) => list.split(/[,;]/))
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => text !== '')
    .map((text) => readOne(text, medium));
  const faults = wishes.flatMap((wish) => wish.faults ?? []);
  return {
    prompt: prompt.replace(MARK, ' ').replace(/\s+/g, ' ').trim(),
    wishes: Object.assign({}, ...wishes, { faults }),
  };
};
