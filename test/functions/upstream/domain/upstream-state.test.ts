import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import {
  ALL_MODELS,
  type CoolDown,
  canStart,
  comingStarts,
  coolDownAfter,
  coolDownFor,
  NEW_STATE,
  pastPlaces,
  pastStarts,
  RATE_WINDOW,
  type UpstreamState,
} from '../../../../functions/upstream/domain/upstream-state.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';

const NOW = Date.UTC(2026, 0, 1);
const MODEL = 'video-3.1-generate-preview';
const MINUTE = 60_000;

const aState = (change: Partial<UpstreamState>): UpstreamState => ({ ...NEW_STATE, ...change });

/** Starts this many milliseconds ago. */
const startsAgo = (...ages: readonly number[]) =>
  new Map(ages.map((age, index) => [`start${index}`, NOW - age]));
/** Places that end in this many milliseconds. */
const placesFor = (...times: readonly number[]) =>
  new Map(times.map((time, index) => [`task${index}`, NOW + time]));
const coolingDown = (model: string, milliseconds: number, reason: CoolDown['reason'] = 'busy') =>
  new Map([[model, { until: NOW + milliseconds, reason }]]);

describe('a cool-down', () => {
  const after = (fault: UpstreamFault, details: { httpStatus?: number; retryAfterSeconds?: number } = {}) => {
    const { model, coolDown } = coolDownAfter(new UpstreamError(fault, 'no', details), MODEL, NOW) ?? {};
    return coolDown && [model, coolDown.reason, (coolDown.until - NOW) / 1000];
  };

  const CASES = [
    ['busy without a delay', 'busy', { httpStatus: 429 }, [MODEL, 'busy', 60]],
    ['busy with RetryInfo', 'busy', { httpStatus: 429, retryAfterSeconds: 34.5 }, [MODEL, 'busy', 34.5]],
    ['a daily quota', 'exhausted', { httpStatus: 429 }, [MODEL, 'quota', 3600]],
    ['a later quota', 'exhausted', { httpStatus: 429, retryAfterSeconds: 7200 }, [MODEL, 'quota', 7200]],
    ['a bad key', 'operator', { httpStatus: 401, retryAfterSeconds: 9 }, [ALL_MODELS, 'refused', 300]],
    ['a missing payment', 'operator', { httpStatus: 402 }, [ALL_MODELS, 'refused', 300]],
    ['a missing permission', 'operator', { httpStatus: 403 }, [ALL_MODELS, 'refused', 300]],
    ['a retired model', 'retired', { httpStatus: 404, retryAfterSeconds: 9 }, [MODEL, 'retired', 21_600]],
    ['a rejected request', 'rejected', { httpStatus: 400 }, undefined],
    ['a failure', 'failing', { httpStatus: 503, retryAfterSeconds: 9 }, undefined],
    ['a lost response', 'unanswered', {}, undefined],
  ] as const;
  for (const [title, fault, details, expected] of CASES)
    test(`after ${title} is ${expected?.join(' ') ?? 'not needed'}`, () => {
      assert.deepEqual(after(fault, details), expected);
    });

  test('applies to its model or to all, and the longer one counts', () => {
    const coolDowns = new Map([
      [MODEL, { until: NOW + 10, reason: 'busy' }],
      ['other', { until: NOW + 99, reason: 'quota' }],
      [ALL_MODELS, { until: NOW + 20, reason: 'failing' }],
    ] as const);
    const state = aState({ coolDowns });
    const reasonAt = (model: string, time: number) =>
      coolDownFor(anUpstream('a'), state, model, NOW + time)?.reason;
    assert.deepEqual(
      [reasonAt(MODEL, 0), reasonAt('other', 0), reasonAt('third', 0)],
      ['failing', 'quota', 'failing'],
    );
    assert.deepEqual([reasonAt(MODEL, 19), reasonAt(MODEL, 20)], ['failing', undefined]);
  });
});

describe('the room at an upstream', () => {
  test('is free until the limit is reached', () => {
    const upstream = anUpstream('a', { submitsPerMinute: 2, videosAtOnce: 2 });
    const free = (change: Partial<UpstreamState>) => canStart(upstream, aState(change), NOW);
    assert.equal(free({ starts: startsAgo(1), places: placesFor(1) }), true);
    assert.equal(free({ starts: startsAgo(1, 2) }), false);
    assert.equal(free({ places: placesFor(1, 2) }), false);
  });

  test('renews a little more than a minute after a start, and when a place expires', () => {
    const upstream = anUpstream('a', { submitsPerMinute: 1, videosAtOnce: 1 });
    const free = (startAge: number, placeTime: number) =>
      canStart(upstream, aState({ starts: startsAgo(startAge), places: placesFor(placeTime) }), NOW);
    assert.deepEqual(
      [free(RATE_WINDOW - 1, 0), free(RATE_WINDOW, 1), free(RATE_WINDOW, 0)],
      [false, false, true],
    );
  });

  test('lists past entries from the oldest to the newest, and by name', () => {
    const times = new Map([
      ['c', NOW - RATE_WINDOW],
      ['new', NOW - RATE_WINDOW + 1],
      ['b', NOW - 2 * MINUTE],
      ['a', NOW - RATE_WINDOW],
    ]);
    assert.deepEqual(pastStarts(aState({ starts: times }), NOW), ['b', 'a', 'c']);
    assert.deepEqual(pastPlaces(aState({ places: times }), NOW - RATE_WINDOW), ['b', 'a', 'c']);
  });
});

describe('the coming starts', () => {
  const upstream = anUpstream('a', { submitsPerMinute: 3 });
  const seconds = (change: Partial<UpstreamState>, at = upstream) =>
    comingStarts(at, aState(change), MODEL, NOW).map((time) => (time - NOW) / 1000);

  test('are now as long as there is room, then when earlier starts renew', () => {
    assert.deepEqual(seconds({}), [0, 0, 0]);
    assert.deepEqual(seconds({ starts: startsAgo(20_000, 50_000) }), [0, 10.5, 40.5]);
    assert.deepEqual(seconds({ starts: startsAgo(RATE_WINDOW, 61_000, 1000) }), [0, 0, 59.5]);
  });

  test('do not include a start that was made this very moment', () => {
    assert.deepEqual(seconds({ starts: startsAgo(0, 0, 0) }), []);
  });

  test('there are none during a cool-down, so that other upstreams can take the tasks', () => {
    const starts = startsAgo(50_000, 5000);
    assert.deepEqual(seconds({ starts, coolDowns: coolingDown(MODEL, 1) }), []);
    assert.deepEqual(seconds({ coolDowns: coolingDown('other', MINUTE) }), [0, 0, 0]);
  });

  test('are limited by the places that are free now', () => {
    const at = anUpstream('a', { submitsPerMinute: 3, videosAtOnce: 2 });
    assert.deepEqual(seconds({ places: placesFor(1) }, at), [0]);
    assert.deepEqual(seconds({ places: placesFor(1, 1) }, at), []);
    assert.deepEqual(seconds({ places: placesFor(1, 1, 1) }, at), []);
  });

  test('are one when the circuit may be probed', () => {
    assert.deepEqual(seconds({ failures: 5 }), [0]);
    const coolDowns = coolingDown(ALL_MODELS, 20_000, 'failing');
    assert.deepEqual(seconds({ failures: 7, coolDowns }), []);
  });

  test('are none for a disabled upstream and for a model that it does not offer', () => {
    assert.deepEqual(seconds({ isDisabled: true }), []);
    assert.deepEqual(seconds({}, { ...upstream, models: { [MODEL]: null } }), []);
  });

  test('are bounded for an upstream without limits', () => {
    assert.equal(seconds({}, anUpstream('a')).length, 10_000);
  });
});
