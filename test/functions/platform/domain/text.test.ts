import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  csvLine,
  formatMegabytes,
  isName,
  joinWords,
  truncate,
} from '../../../../functions/platform/domain/text.ts';

describe('csvLine', () => {
  const FIELDS: readonly (readonly [value: string | number | null, written: string])[] = [
    ['plain', 'plain'],
    [3.5, '3.5'],
    [null, ''],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', 'a=1'],
  ];
  for (const [value, written] of FIELDS)
    test(`writes ${JSON.stringify(value)} as ${JSON.stringify(written)}`, () =>
      assert.equal(csvLine([value, 'end']), `${written},end\r\n`));
});

test('a name has 1 to 100 characters, none of them a control character, a line separator or a bidi control', () => {
  const accepted = ['ci', 'Büro 2 – 🦊', '🦊'.repeat(100), '👩\u200d🚀', 'می\u200cخواهم', 'שלום'];
  const bidi = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'].map(
    (mark) => `a${mark}b`,
  );
  const tooLong = ['🦊'.repeat(101), 'x'.repeat(101)];
  const refused = [
    '',
    ' ',
    'a\nb',
    'a\n',
    '\na',
    '\u001b[31mred',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    ...bidi,
    ...tooLong,
  ];
  assert.deepEqual([...accepted, ...refused].filter(isName), accepted);
});

describe('truncate', () => {
  const TABLE = [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab🦊', 3, 'ab'],
    ['ab🦊', 4, 'ab🦊'],
    ['a🦊b', 3, 'a🦊'],
    ['🦊', 1, ''],
  ] as const;
  for (const [text, most, cut] of TABLE)
    test(`cuts ${text} to '${cut}' at ${most}`, () => assert.equal(truncate(text, most), cut));
});

test('joinWords puts the conjunction before the last word only', () => {
  const joined = [[], ['one'], ['one', 'two'], [4, 6, 8]].map((words) => joinWords(words, 'or'));
  assert.deepEqual(joined, ['', 'one', 'one or two', '4, 6 or 8']);
  assert.equal(joinWords(['a', 'b', 'c'], 'and'), 'a, b and c');
});

test('sizes are rounded up to a tenth of a megabyte', () => {
  const sizes = [1, 14_700_000, 14_700_001, 20_000_000].map(formatMegabytes);
  assert.deepEqual(sizes, ['0.1 MB', '14.7 MB', '14.8 MB', '20 MB']);
});
