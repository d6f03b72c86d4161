import * as z from 'zod/mini';
import { limitedText } from './schema.ts';

const CONTROL = /\p{Cc}/u;

/** What a person calls a thing of theirs. */
export const name = () =>
  limitedText(100).check(
    z.refine((value) => value.trim() !== '' && !CONTROL.test(value), {
      error: 'must have 1 to 100 characters, none of them a control character.',
    }),
    z.meta({ minLength: 1 }),
  );
