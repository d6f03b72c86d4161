import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { MODELS } from '../../functions/catalogue/domain/models.ts';
import { LIFECYCLE_CHECKED, LIFECYCLES } from '../../functions/upstream/domain/lifecycle.ts';
import { upstreamModelName } from '../../functions/upstream/domain/upstreams.ts';
import { ALL_KINDS } from '../support/builders/upstream-kinds.ts';

/** Names that have ended on every platform in the table; clients may still send them. */
const RETIRED = [...Map.groupBy(LIFECYCLES, ([, model]) => model)]
  .filter(([, rows]) => rows.every(([, , ends]) => ends <= LIFECYCLE_CHECKED))
  .map(([model]) => model);

/** Lines that list the names that clients may send, or that an application offers. */
const LISTS = [/^\| `(?:video|image)-3\.1-/, /\bComfly\b/];

const mentions = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !LISTS.some((list) => list.test(line)))
    .flatMap((line) => RETIRED.filter((name) => line.split(/[^\w.-]+/).includes(name)));

describe('no retired model of a platform', () => {
  test('is hidden from this test', () => {
    assert.ok(RETIRED.includes('veo-3.1-generate-preview'));
    assert.ok(!RETIRED.includes('veo-3.1-generate-001'));
    assert.deepEqual(mentions('use `imagen-4.0-generate-001` now'), ['imagen-4.0-generate-001']);
    // The names of our own models contain those of others.
    assert.deepEqual(mentions('`image-3.1-flash-image-preview`, gemini-3.1-flash-image'), []);
  });

  // Client code that was written for OpenAI keeps these names, which the migration is about.
  const isOpenAi = (name: string): boolean => name.startsWith('sora-');

  for (const file of globSync('{*.md,docs/*.md,console/**/*.{ts,tsx},bin/*.ts,lib/smoke/**/*.ts}'))
    test(`is named in ${file}`, () => {
      const retired = mentions(readFileSync(file, 'utf8')).filter((name) => !isOpenAi(name));
      assert.deepEqual(retired, []);
    });

  test('is a default', () => {
    const names = ALL_KINDS.flatMap((upstream) =>
      MODELS.flatMap((model) => upstreamModelName(upstream, model) ?? []),
    );
    assert.ok(names.length > MODELS.length);
    const retired = names.filter((name) => RETIRED.includes(name));
    assert.deepEqual(retired, []);
  });
});
