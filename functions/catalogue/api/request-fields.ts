import * as z from 'zod/mini';
import { refuse } from '../../platform/body/parse.ts';
import { leaf, limitedText } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { MAX_PROMPT_CHARACTERS } from '../domain/models.ts';

const PROMPT_LENGTH = `1 to ${MAX_PROMPT_CHARACTERS} characters of text.`;

export const promptField = (description: string) =>
  limitedText(MAX_PROMPT_CHARACTERS, `is required: ${PROMPT_LENGTH}`).check(
    z.regex(/\S/, { error: `must have ${PROMPT_LENGTH}`, abort: true }),
    z.meta({ minLength: 1, maxLength: MAX_PROMPT_CHARACTERS, description }),
  );

/** Accepts values in upper and lower case, as Google's clients send both. */
export const oneOfIgnoringCase = <const T extends readonly string[]>(values: T, refusal?: string) =>
  leaf(
    (value, context): T[number] => {
      const name = typeof value === 'string' ? value.toLowerCase() : value;
      return isOneOf(values, name) ? name : refuse(context, refusal ?? `must be one of ${listed(values)}.`);
    },
    { type: 'string', enum: [...values, ...values.map((name) => name.toUpperCase())] },
  );

/** Only the values that match the generator's own behaviour. */
const PEOPLE = ['allow_all', 'allow_adult'] as const;
export const personGeneration = oneOfIgnoringCase(
  PEOPLE,
  `must be ${PEOPLE.join(' or ')}, or be left out: the generator has its own rules for people.`,
);
