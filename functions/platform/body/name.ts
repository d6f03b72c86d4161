import * as z from 'zod/mini';
import { isName, MAX_NAME_CHARACTERS, NAME_RULE } from '../domain/name.ts';
import { limitedText } from './schema.ts';

/** What a person calls a thing of theirs. */
export const name = () =>
  limitedText(MAX_NAME_CHARACTERS).check(z.refine(isName, { error: NAME_RULE }), z.meta({ minLength: 1 }));
