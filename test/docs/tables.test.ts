import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERRORS } from '../../functions/platform/domain/errors.ts';
import { TASK_ERROR_CODES } from '../../functions/videos/domain/task.ts';
import { CONFIG_NAMES } from '../../lib/config.ts';
import { TEST_PROMPTS } from '../../lib/sample-generator/test-prompts.ts';
import { firstColumn, PROJECT } from './sections.ts';

test('every setting is in the table of settings', () => {
  assert.deepEqual(firstColumn(['docs/deploy.md', '## Settings']), [...CONFIG_NAMES]);
});

test('every test prompt is in their table', () => {
  assert.deepEqual(
    firstColumn(['docs/test-prompts.md', '# Test prompts']),
    TEST_PROMPTS.map(({ syntax }) => `[sample: ${syntax}]`),
  );
});

test('every error code is in the table of errors', () => {
  assert.deepEqual(firstColumn(['docs/api.md', '## Errors']).toSorted(), Object.keys(ERRORS).toSorted());
});

test('every code of a failed task is in the table of them', () => {
  assert.deepEqual(
    firstColumn(['docs/api.md', '## The states of a task']).toSorted(),
    TASK_ERROR_CODES.toSorted(),
  );
});

test('every folder of the architecture is there', () => {
  const folders = firstColumn(['docs/architecture.md', '## Folders']);
  assert.ok(folders.length >= 15);
  for (const folder of folders)
    assert.ok(existsSync(join(PROJECT, folder.replace('*.ts', ''))), `${folder} is not there`);
});
