import * as z from 'zod';

/** The tag that every resource of the stack carries. */
export const OWN_TAG = 'application';

/** AWS allows 50 for a resource. */
const MAX_TAGS = 50 - 1;
const MAX_NAME = 128;
const MAX_VALUE = 256;
/** The characters that every service takes; some take more. */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const CHARACTERS = 'letters, digits, spaces and _ . : / = + - @';

/** Why AWS would refuse the name, if it would. */
const nameFault = (name: string): string | undefined => {
  if (name.length < 1 || name.length > MAX_NAME) return `the name must have 1 to ${MAX_NAME} characters`;
  if (!ALLOWED.test(name)) return `the name may have ${CHARACTERS} only`;
  if (/^aws:/i.test(name)) return 'the name must not begin with "aws:", which AWS keeps for itself';
  if (name.toLowerCase() === OWN_TAG) return `the stack sets the tag "${OWN_TAG}" itself`;
  return undefined;
};

const valueFault = (value: string): string | undefined => {
  if (value.length > MAX_VALUE) return `the value must have at most ${MAX_VALUE} characters`;
  return ALLOWED.test(value) ? undefined : `the value may have ${CHARACTERS} only`;
};

/** Tags by name, checked against the rules that AWS would apply half-way through a deployment. */
export const tagsSchema = z.record(z.string(), z.string()).superRefine((tags, { addIssue }) => {
  const names = Object.keys(tags);
  if (names.length > MAX_TAGS)
    addIssue({ code: 'custom', message: `must have at most ${MAX_TAGS} tags beside "${OWN_TAG}"` });
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(tags)) {
    // IAM compares the names of tags without their case.
    const repeated = seen.has(name.toLowerCase()) ? 'another name differs in case only' : undefined;
    const message = nameFault(name) ?? valueFault(value) ?? repeated;
    if (message !== undefined) addIssue({ code: 'custom', message, path: [name] });
    seen.add(name.toLowerCase());
  }
});
