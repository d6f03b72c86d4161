import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPrompt } from '../../../lib/sample-generator/read-test-prompts.ts';
import { TEST_PROMPTS } from '../../../lib/sample-generator/test-prompts.ts';

/** The syntax from the table, with and without the part in brackets. */
const written = (syntax: string): string[] => {
  const [, start = syntax, choices] = /^(.*?) \[(.*)\]$/.exec(syntax) ?? [];
  const ends = choices?.split(' | ').map((choice) => choice.replace('N', '3')) ?? [];
  // Finish reasons contain the letter N.
  const reasons = syntax.startsWith('blocked') ? (choices?.split(' | ') ?? []) : ends;
  return [start, ...reasons.map((end) => `${start} ${end}`)];
};

describe('test prompts', () => {
  for (const [syntax, media] of TEST_PROMPTS) {
    for (const medium of media) {
      for (const text of written(syntax)) {
        test(`"${text}" is supported for ${medium}s and removed from the prompt`, () => {
          const { prompt, testPrompts } = readPrompt(`A cat [sample: ${text}] asleep`, medium);
          assert.equal(prompt, 'A cat asleep');
          assert.ok(testPrompts.faults.length > 0 || Object.keys(testPrompts).length > 1);
        });
      }
    }
  }

  test('after on=NAME has no effect on other upstreams', () => {
    const read = (upstream?: string) =>
      readPrompt(
        'A cat [sample: on=vertex-us busy times 2, On=studio-a delay 5s, samples 2]',
        'video',
        upstream,
      );
    const busy = { place: 'create', kind: 'error', code: 429, repeat: 2 };
    assert.deepEqual(read('vertex-us').testPrompts, { samples: 2, faults: [busy] });
    assert.deepEqual(read('studio-a').testPrompts, { samples: 2, delaySeconds: 5, faults: [] });
    assert.deepEqual(read(), { prompt: 'A cat', testPrompts: { samples: 2, faults: [] } });
  });

  test('a prompt may contain several, in one pair of brackets or in many', () => {
    const { prompt, testPrompts } = readPrompt(
      '[Sample: delay 1.5s, ERROR 503 times 2] A cat [sample: reset; samples 2]',
      'video',
    );
    assert.equal(prompt, 'A cat');
    assert.deepEqual(testPrompts, {
      delaySeconds: 1.5,
      samples: 2,
      faults: [
        { place: 'create', kind: 'error', code: 503, repeat: 2 },
        { place: 'create', kind: 'reset', repeat: 1 },
      ],
    });
  });

  const REPEATS = [
    ['error 400', 'always'],
    ['error 429', 1],
    ['error 500', 1],
    ['error 500 times 4', 4],
    ['error 500 always', 'always'],
    ['poll error 404', 'always'],
    ['file error 403', 1],
    ['file error 404', 'always'],
    ['file truncated', 1],
    ['hang', 1],
  ] as const;
  for (const [text, repeat] of REPEATS) {
    test(`"${text}" fails ${repeat === 'always' ? 'every time' : `${repeat} times`}`, () => {
      assert.equal(readPrompt(`[sample: ${text}]`, 'video').testPrompts.faults[0]?.repeat, repeat);
    });
  }

  const UNKNOWN = [
    ['explode', 'video'],
    ['error 418', 'video'],
    ['error 404', 'video'],
    ['delay', 'video'],
    ['delay 5 minutes', 'video'],
    ['done with error 99', 'video'],
    ['samples 9', 'video'],
    ['deliver 480p', 'video'],
    ['deliver 9s', 'video'],
    ['deliver 0s', 'video'],
    ['status completed', 'video'],
    ['error as number', 'video'],
    ['drafts 2', 'video'],
    ['filtered', 'image'],
    ['file not mp4', 'image'],
  ] as const;
  for (const [text, medium] of UNKNOWN) {
    test(`rejects "${text}" for ${medium}s and lists the supported ones`, () => {
      assert.throws(() => readPrompt(`A cat [sample: ${text}]`, medium), {
        code: 400,
        message: /supports: delay 20s; slow start 5s;/,
      });
    });
  }

  test('a prompt without test prompts stays unchanged', () => {
    assert.deepEqual(readPrompt('A [sample] of cats', 'video'), {
      prompt: 'A [sample] of cats',
      testPrompts: { faults: [] },
    });
  });
});
