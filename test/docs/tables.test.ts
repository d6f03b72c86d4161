import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../functions/domain/errors.ts';
import { CONFIG_NAMES } from '../../lib/config.ts';
import { TEST_PROMPTS } from '../../lib/sample-generator/test-prompts.ts';
import { firstColumn } from './sections.ts';

const names = (heading: string): string[] =>
  firstColumn(heading).flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? ''));

test('the README lists every setting', () => {
  assert.deepEqual(names('## Configure it'), [...CONFIG_NAMES]);
});

test('the README lists every test prompt', () => {
  assert.deepEqual(
    names('### Test prompts'),
    TEST_PROMPTS.map(({ syntax }) => `[sample: ${syntax}]`),
  );
});

test('the README lists every error code', () => {
  assert.deepEqual(names('### Errors').toSorted(), Object.keys(ERRORS).toSorted());
});
