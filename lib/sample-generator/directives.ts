import type { Directives } from './directive-types.ts';
import { READINGS } from './read-test-prompts.ts';
import { TEST_PROMPTS } from './test-prompts.ts';
import { invalid, shortened } from './upstream-error.ts';

const known = (medium: 'video' | 'image') =>
  TEST_PROMPTS.filter(({ media }) => media.some((candidate) => candidate === medium));

const readOne = (text: string, medium: 'video' | 'image'): Partial<Directives> => {
  for (const { name } of known(medium)) {
    const [matcher, read] = READINGS[name];
    const match = matcher.exec(text);
    const directives = match === null ? undefined : read({ ...match.groups });
    if (directives !== undefined) return directives;
  }
  const list = known(medium)
    .map(({ syntax }) => syntax)
    .join('; ');
  throw invalid(
    `The sample generator does not know "${shortened(text)}" in a prompt for ${medium}s. It knows: ${list}.`,
  );
};

const MOST_DIRECTIVES = 100;
const OPENING = /\[sample:/gi;

/** The marks' contents, and the prompt without them; a mark that is not closed is a part of the prompt. */
const splitMarks = (prompt: string) => {
  const lists: string[] = [];
  const rest: string[] = [];
  let taken = 0;
  for (const { index, 0: opening } of prompt.matchAll(OPENING)) {
    if (index < taken) continue;
    const end = prompt.indexOf(']', index);
    // Where nothing closes this one, nothing closes the others: looking for each would take for ever.
    if (end === -1) break;
    rest.push(prompt.slice(taken, index));
    lists.push(prompt.slice(index + opening.length, end));
    taken = end + 1;
  }
  return { lists, rest: [...rest, prompt.slice(taken)].join(' ') };
};

/** Takes the directives out of the prompt, so that the caption and the cache know only what is left. */
export const readPrompt = (
  prompt: string,
  medium: 'video' | 'image',
): { prompt: string; directives: Directives } => {
  const { lists, rest } = splitMarks(prompt);
  const texts = lists
    .flatMap((list) => list.split(/[,;]/))
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => text !== '');
  if (texts.length > MOST_DIRECTIVES)
    throw invalid(`A prompt holds at most ${MOST_DIRECTIVES} directives for the sample generator.`);
  const directives = texts.map((text) => readOne(text, medium));
  const faults = directives.flatMap((directive) => directive.faults ?? []);
  return {
    prompt: rest.replace(/\s+/g, ' ').trim(),
    directives: Object.assign({}, ...directives, { faults }),
  };
};
