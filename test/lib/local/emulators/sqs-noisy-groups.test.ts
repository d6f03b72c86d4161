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

const span = (group: string | null, to: number): Span => [group, 0, to];

const CASES: Readonly<Record<string, readonly [spans: readonly Span[], noisy: readonly string[]]>> = {
  'more than a tenth of the time makes noisy': [
    [span('a', 112), span('b', 900)],
    ['a 0', 'b 0'],
  ],
  'a tenth of it does not': [[span('a', 100), span('b', 900)], ['b 0']],
  'what still runs counts with the time so far': [[span('a', LATER), span('b', 50)], ['a 1']],
  'messages without a group are never noisy, but their time counts': [[span('a', 90), span(null, 990)], []],
  '30 messages in flight make noisy, however short they are': [
    [...many(30, 'a'), span('b', 999)],
    ['b 0', 'a 30'],
  ],
  '29 do not': [[...many(29, 'a'), span('b', 999)], ['b 0']],
};

for (const [fact, [spans, noisy]] of Object.entries(CASES))
  test(fact, () => {
    const found = noisyAt(1000, spans);
    const joined = found.map((group) => group.join(' '));
    assert.deepEqual(joined, noisy);
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
