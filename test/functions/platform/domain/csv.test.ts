import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvLine } from '../../../../functions/platform/domain/csv.ts';

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
