import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { readPrompt } from '../../../lib/sample-generator/read-test-prompts.ts';

for (const { prompt } of texts.testPrompts.choices)
  test(`the sample generator understands the test prompt "${prompt}"`, () => {
    assert.equal(readPrompt(`A cat [sample: ${prompt}]`, 'video').prompt, 'A cat');
  });
