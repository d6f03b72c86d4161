import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkedTimes,
  extendedTimes,
  outageTimes,
  planRenewal,
} from '../../../../functions/identity/domain/renewal.ts';
import { DEFAULT_TIMES, openSession, type Session } from '../../../../functions/identity/domain/session.ts';
import { aSession } from '../../../support/builders/person.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const linked = aSession(NOW, openSession(`sess_${'0'.repeat(32)}`, NOW).session);
const withoutToken: Session = { ...linked, checkUntil: NOW + HOUR };
const withToken: Session = { ...withoutToken, sealedRefreshToken: 'sealed' };

for (const [title, session, later, expected] of [
  ['a link within the hour', linked, 54 * MINUTE, 'keep'],
  ['a link later', linked, 55 * MINUTE, 'extend'],
  ['a refresh token within the hour', withToken, 54 * MINUTE, 'keep'],
  ['a refresh token before the hour ends', withToken, 55 * MINUTE, 'ask'],
  ['a refresh token after the hour', withToken, 61 * MINUTE, 'ask'],
  ['no refresh token before the hour ends', withoutToken, 59 * MINUTE, 'keep'],
  ['no refresh token after the hour', withoutToken, 60 * MINUTE, 'sign-in'],
] as const)
  test(`a session with ${title}: ${expected}`, () => {
    assert.equal(planRenewal(session, NOW + later), expected);
  });

test('a confirmed person has an hour, and the idle time starts again', () => {
  const times = { expiresAt: NOW + 12 * HOUR, renewAt: NOW + 55 * MINUTE, checkUntil: NOW + HOUR };
  assert.deepEqual(checkedTimes(NOW, NOW + 100 * HOUR, DEFAULT_TIMES), times);
});

test('a session of a link is extended up to its end', () => {
  const end = linked.endsAt;
  const { expiresAt, checkUntil } = extendedTimes(linked, end - HOUR, DEFAULT_TIMES);
  assert.deepEqual([expiresAt, checkUntil], [end, undefined]);
});

test('an outage gives ten minutes at a time, and never more than the idle time', () => {
  const { expiresAt } = withToken;
  const early = { expiresAt, renewAt: NOW + 65 * MINUTE, checkUntil: NOW + 70 * MINUTE };
  assert.deepEqual(outageTimes(withToken, NOW + HOUR), early);
  const late = { expiresAt, renewAt: expiresAt, checkUntil: expiresAt };
  assert.deepEqual(outageTimes(withToken, expiresAt - MINUTE), late);
});
