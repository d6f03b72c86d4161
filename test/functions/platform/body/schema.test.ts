import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod/mini';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import * as schema from '../../../../functions/platform/body/schema.ts';

/** The parsed value, or the messages of the refusal. */
const read = (type: z.core.$ZodType, value: unknown): unknown => {
  const parsed = z.safeParse(type, value);
  return parsed.success ? parsed.data : parsed.error.issues.map(({ message }) => message).join(' ');
};

const FILE = new FilePart(Buffer.from('a'), 'a.txt');

const TABLE: Readonly<Record<string, readonly (readonly [z.core.$ZodType, unknown, unknown])[]>> = {
  'a text': [
    [schema.text(), 'a', 'a'],
    [schema.text(), '', ''],
    [schema.text(), 1, 'must be a string, given once.'],
    [schema.text(), undefined, 'is required.'],
    [schema.text('is needed.'), undefined, 'is needed.'],
    [schema.text(), FILE, 'must be text, not a file.'],
    [schema.text(), '\ud800', 'is not well-formed Unicode text.'],
  ],
  'a text of limited length, in code points': [
    [schema.limitedText(2), '🚣🚣', '🚣🚣'],
    [schema.limitedText(2), '🚣ab', 'is longer than 2 characters.'],
    [schema.limitedText(2), 'x'.repeat(5), 'is longer than 2 characters.'],
    // The first problem is enough.
    [schema.limitedText(2), '\ud800abc', 'is not well-formed Unicode text.'],
  ],
  'a choice': [
    [schema.choice(['a', 'b']), 'b', 'b'],
    [schema.choice(['a', 'b']), 'c', 'must be one of a, b.'],
  ],
  'a flag': [
    [schema.flag(), false, false],
    [schema.flag(), 'false', 'must be true or false.'],
  ],
  'a number': [
    [schema.numberFrom(0, 2), 0, 0],
    [schema.numberFrom(0, 2), 2, 2],
    [schema.numberFrom(0, 2), -0.1, 'must be a number from 0 to 2.'],
    [schema.numberFrom(0, 2), 2.1, 'must be a number from 0 to 2.'],
    [schema.numberFrom(0, 2), '1', 'must be a number from 0 to 2.'],
  ],
  'a whole number': [
    ...[0, 8, '0', '8', '10', '9007199254740991'].map(
      (given) => [schema.wholeNumber(), given, Number(given)] as const,
    ),
    ...['', ' 8', '8 ', '08', '-8', '8.0', '1e1', 8.5, -1, null, true, [8], '9007199254740992'].map(
      (given) =>
        [schema.wholeNumber(), given, 'must be a whole number of at least 0, such as 8 or "8".'] as const,
    ),
    [schema.wholeNumber(2, 4), '4', 4],
    [schema.wholeNumber(2, 4), 1, 'must be a whole number from 2 to 4, such as 2 or "2".'],
    [schema.wholeNumber(2, 4), '5', 'must be a whole number from 2 to 4, such as 2 or "2".'],
    [schema.wholeNumber(9), 8, 'must be a whole number of at least 9, such as 9 or "9".'],
    [schema.wholeNumber(2, 8, 'is wrong.'), 9, 'is wrong.'],
  ],
  'a list': [
    [schema.list(schema.text(), 2), [], []],
    [schema.list(schema.text(), 2), ['a', 'b'], ['a', 'b']],
    [schema.list(schema.text(), 2), 'a', 'must be a list.'],
    [schema.list(schema.text(), 2), [1, 2, 3], 'must be a list of at most 2 items, but 3 were sent.'],
    [schema.list(schema.text(), 2, 'is too long.'), [1, 2, 3], 'is too long.'],
    [schema.filledList(schema.text(), 2), ['a'], ['a']],
    [schema.filledList(schema.text(), 2), [], 'must be a list with at least one item.'],
    [schema.filledList(schema.text(), 2), undefined, 'must be a list with at least one item.'],
  ],
  'a value that changes nothing': [
    [schema.only([1], 'send it once.'), '1', '1'],
    [schema.only([1], 'send it once.'), 2, 'must be 1: send it once.'],
    [schema.only([true, 'yes'], 'it is on.'), 'true', 'true'],
    [schema.only([true, 'yes'], 'it is on.'), 'no', 'must be one of true, yes: it is on.'],
  ],
};

for (const [what, rows] of Object.entries(TABLE))
  describe(what, () => {
    for (const [type, value, expected] of rows)
      test(`${JSON.stringify(value)} is read as ${JSON.stringify(expected)}`, () =>
        assert.deepEqual(read(type, value), expected));
  });

test('fields are checked in the order of the schema, whichever were sent before', () => {
  const type = schema.fields({
    first: z.optional(schema.text()),
    needed: schema.text(),
    last: z.optional(schema.flag()),
  });
  for (const [value, expected] of [
    [{ needed: 'a' }, { needed: 'a' }],
    [
      { last: true, needed: 'a' },
      { needed: 'a', last: true },
    ],
    [{ last: 1, first: 1, needed: 'a' }, 'must be a string, given once. must be true or false.'],
    [{ last: true }, 'is required.'],
    [
      { first: 'b', needed: 'a' },
      { first: 'b', needed: 'a' },
    ],
    [{ needed: 'a' }, { needed: 'a' }],
  ] as const)
    assert.deepEqual(read(type, value), expected);
});

test('a field that is not applied says so in the document, perhaps with a reason', () => {
  const fields = [schema.ignored(schema.flag()), schema.ignored(schema.flag(), 'It is on.')];
  const descriptions = fields.map((field) => z.toJSONSchema(field).description);
  assert.deepEqual(descriptions, ['Accepted but not applied.', 'Accepted but not applied. It is on.']);
});
