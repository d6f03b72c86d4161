import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERROR_ROWS, limitRows } from '../../console/docs/explanations.ts';
import { UPLOADS } from '../../console/parts/program.ts';
import { signInTexts } from '../../console/texts/sign-in-texts.ts';
import { texts } from '../../console/texts/texts.ts';
import { VERIFY_CODE } from '../../console/webhooks/verify-code.ts';
import {
  DEFAULT_REQUEST_MEGABYTES,
  largestImage,
  maxImageBytes,
} from '../../functions/catalogue/domain/models.ts';
import { ERRORS } from '../../functions/platform/domain/errors.ts';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';
import { codeBlocks, namesInCell, PROJECT, tableRows } from './sections.ts';

/** Texts that both the console and docs/api.md contain; the docs may add details after them. */

const formatNumber = (value: number): string => new Intl.NumberFormat('en').format(value);

test('docs/api.md explains each error code as the console does', () => {
  const rows = tableRows(['docs/api.md', '## Errors']).slice(1);
  assert.equal(rows.length, ERROR_ROWS.length);
  for (const [index, { codes, http, meaning }] of ERROR_ROWS.entries()) {
    const [first, status, text = ''] = rows[index] ?? [];
    assert.deepEqual([namesInCell(first), status], [codes, String(http)]);
    assert.ok(text.startsWith(meaning), `${first}: ${text}`);
  }
});

test('the console explains each error code with its status', () => {
  for (const { codes, http } of ERROR_ROWS)
    for (const code of codes) assert.equal(http, ERRORS[code].http, code);
});

test('docs/api.md explains each code of a failed task as the console does', () => {
  const rows = tableRows(['docs/api.md', '## Task states']).slice(1);
  assert.deepEqual(
    Object.fromEntries(rows.map(([first, meaning]) => [namesInCell(first)[0], meaning])),
    texts.task.advice,
  );
});

test('docs/api.md has the limits that the console shows, and no others', () => {
  const rows = new Map(tableRows(['docs/api.md', '## Limits']).map(([name, limit]) => [name, limit]));
  for (const [name, limit] of limitRows(formatNumber, maxImageBytes(DEFAULT_REQUEST_MEGABYTES)))
    assert.ok(rows.get(name)?.startsWith(limit), `${name}: ${limit}`);
  // Those of the account and the retention come from the session.
  const shown = limitRows(formatNumber, maxImageBytes(DEFAULT_REQUEST_MEGABYTES)).map(([name]) => name);
  const missing = [...rows.keys()].filter((name = '') => !shown.includes(name));
  assert.deepEqual(missing, ['Subject', 'Account', 'Video retention']);
});

/** Sentences about the size of images, which all state the same limit. */
for (const [path, before, after] of [
  ['docs/api.md', 'JSON for up to ', ' |'],
  ['docs/api.md', 'uploading up to ', ' directly to S3'],
  ['docs/api.md', '| Files | ', ' each'],
  ['docs/formats.md', '| Other clients of the resumable protocol | ', ' |'],
  ['docs/configure.md', '(api.md#limits): ', ' at 20,'],
] as const)
  test(`${path} states the largest image in “${before}…”`, () => {
    const sentence = `${before}${formatMegabytes(largestImage())}${after}`;
    assert.ok(readFileSync(join(PROJECT, path), 'utf8').includes(sentence), sentence);
  });

test('docs/webhooks.md verifies webhooks with the code that the console shows', () => {
  assert.deepEqual(codeBlocks(['docs/webhooks.md', '# Webhooks'], 'js'), [`${VERIFY_CODE.node}\n`]);
});

for (const [language, block] of [
  ['node', 'js'],
  ['python', 'python'],
] as const)
  test(`docs/api.md uploads files in ${block} with the code that the console shows`, () => {
    const [code = ''] = codeBlocks(['docs/api.md', '## Files'], block);
    assert.ok(code.includes(UPLOADS[language].code.join('\n')), code);
  });

test('docs/account.md signs in with the command that the console shows', () => {
  assert.ok(readFileSync(join(PROJECT, 'docs/account.md'), 'utf8').includes(signInTexts.command));
});
