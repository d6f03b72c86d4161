import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noisyGroups } from '../../../../lib/local/emulators/sqs/message-store.ts';

const MINUTE = 60_000;

type Span = readonly [group: string | null, from: number, to: number];

/** The noisy groups at a given time, after messages with these processing times. */
const noisyAt = (now: number, spans: readonly Span[]) => {
  const groups = noisyGroups();
  spans.forEach(([group, from, to], position) => {
    groups.began(`${position}`, { group, since: from, until: Number.POSITIVE_INFINITY });
    if (to <= now) groups.ended(`${position}`, to);
  });
  return groups.find(now);
};

const LATER = 10 * MINUTE;
const many = (count: number, group: string): Span[] =>
  Array.from({ length: count }, () => [group, 999, LATER] as const);

const CASES: readonly (readonly [fact: string, spans: readonly Span[], noisy: ReturnType<typeof noisyAt>])[] =
  [
    [
      'more than a tenth of the time makes noisy',
      [
        ['a', 0, 112],
        ['b', 0, 900],
      ],
      [
        ['a', 0],
        ['b', 0],
      ],
    ],
    [
      'a tenth of it does not',
      [
        ['a', 0, 100],
        ['b', 0, 900],
      ],
      [['b', 0]],
    ],
    [
      'what still runs counts with the time so far',
      [
        ['a', 0, LATER],
        ['b', 0, 50],
      ],
      [['a', 1]],
    ],
    [
      'messages without a group are never noisy, but their time counts',
      [
        ['a', 0, 90],
        [null, 0, 990],
      ],
      [],
    ],
    [
      '30 messages in flight make noisy, however short they are',
      [...many(30, 'a'), ['b', 0, 999]],
      [
        ['b', 0],
        ['a', 30],
      ],
    ],
    ['29 do not', [...many(29, 'a'), ['b', 0, 999]], [['b', 0]]],
  ];

for (const [fact, spans, noisy] of CASES)
  test(fact, () => {
    assert.deepEqual(noisyAt(1000, spans), noisy);
  });

test('a busy group becomes quiet after some minutes', () => {
  const spans: readonly Span[] = [
    ['a', 0, MINUTE],
    ['b', 5 * MINUTE, 6 * MINUTE],
  ];
  assert.deepEqual(noisyAt(6 * MINUTE, spans), [['b', 0]]);
});

test('a message is no longer in flight after its visibility timeout', () => {
  const groups = noisyGroups();
  groups.began('one', { group: 'a', since: 0, until: 100 });
  assert.deepEqual(groups.find(50), [['a', 1]]);
  assert.deepEqual(groups.find(150), [['a', 0]]);
});
