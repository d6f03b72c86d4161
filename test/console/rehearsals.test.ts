import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../../console/texts.ts';
import { readPrompt } from '../../lib/sample-generator/read-test-prompts.ts';

for (const { directive } of texts.rehearsal.choices)
  test(`the sample generator understands the rehearsal "${directive}"`, () => {
    assert.equal(readPrompt(`A cat [sample: ${directive}]`, 'video').prompt, 'A cat');
  });
