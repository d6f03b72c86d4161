import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  COSTS,
  IMAGE_USAGE,
  pageName,
  readUsageQuery,
  type UsageEndpoint,
  VIDEO_USAGE,
} from '../../../../functions/billing/api/usage-query.ts';
import type { DailyUsage } from '../../../../functions/billing/domain/usage.ts';
import { aDailyUsage } from '../../../support/builders/charge.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const DAY = 86_400;
/** 00:00 on 5 November 2026. */
const START = Date.UTC(2026, 10, 5) / 1000;
const NOW = Date.UTC(2026, 10, 9, 12);

const read = (endpoint: UsageEndpoint, text: string) =>
  readUsageQuery(endpoint, toQuery(`start_time=${START}&${text}`), NOW);

const KEY = `key_${'a'.repeat(16)}`;
const PERSON = `user_${'b'.repeat(32)}`;
const VIDEO = aDailyUsage({ day: '2026-11-05', keyId: KEY, personId: PERSON });

describe('the days of usage', () => {
  const days = (text: string) => {
    const { from, to, limit } = read(COSTS, text);
    return [from, to, limit];
  };

  test('are those that contain the given times, up to now by default', () => {
    assert.deepEqual(days(''), ['2026-11-05', '2026-11-09', 7]);
    assert.deepEqual(days(`end_time=${START + 1}&limit=180`), ['2026-11-05', '2026-11-05', 180]);
    assert.deepEqual(days(`end_time=${START + DAY}`), ['2026-11-05', '2026-11-05', 7]);
    assert.deepEqual(days(`end_time=${START + DAY + 1}`), ['2026-11-05', '2026-11-06', 7]);
    const future = readUsageQuery(COSTS, toQuery(`start_time=${START + 90 * DAY}`), NOW);
    assert.deepEqual([future.from, future.to], ['2027-02-03', '2027-02-03']);
  });

  test('begin with the day of a page', () => {
    assert.deepEqual(days(`page=${pageName('2026-11-07')}`), ['2026-11-07', '2026-11-09', 7]);
    for (const day of ['2026-11-05', '2026-11-09']) assert.equal(days(`page=page_${day}`)[0], day);
    const [far, odd] = [
      ['page_2026-11-04', 'page_2026-11-10'],
      ['page_2026-11-7', 'page_2026-11-07x'],
    ];
    for (const page of ['', '2026-11-07', 'xpage_2026-11-07', ...far, ...odd])
      refusesField(() => days(`page=${page}`), 'page');
    refusesField(() => readUsageQuery(COSTS, toQuery(`start_time=0&page=page_2026-02-30`), NOW), 'page');
  });

  test('need a start, and an end after it', () => {
    refusesField(() => readUsageQuery(COSTS, toQuery(''), NOW), 'start_time', /is required/);
    for (const end of [START, START - 1])
      refusesField(() => days(`end_time=${end}`), 'end_time', /after start_time/);
  });

  test('are sums of UTC days', () => {
    assert.deepEqual(days('bucket_width=1d'), days(''));
    refusesField(() => days('bucket_width=1h'), 'bucket_width');
  });

  test('are at most 180 for costs and 31 for usage', () => {
    assert.equal(read(VIDEO_USAGE, 'limit=31').limit, 31);
    refusesField(() => read(COSTS, 'limit=181'), 'limit', /from 1 to 180/);
    for (const endpoint of [VIDEO_USAGE, IMAGE_USAGE])
      refusesField(() => read(endpoint, 'limit=32'), 'limit', /from 1 to 31/);
  });
});

test('costs and usage are grouped by the fields that each has', () => {
  const owner = { project_id: 'account', api_key_id: 'keyId', user_id: 'personId' };
  const GROUPINGS: readonly (readonly [UsageEndpoint, Readonly<Record<string, string>>])[] = [
    [COSTS, { ...owner, line_item: 'model' }],
    [VIDEO_USAGE, { ...owner, model: 'model', size: 'size' }],
    [IMAGE_USAGE, { ...owner, model: 'model', size: 'size' }],
  ];
  for (const [endpoint, groupings] of GROUPINGS) {
    const text = Object.keys(groupings).map((name) => `group_by=${name}`);
    assert.deepEqual(read(endpoint, text.join('&')).by, Object.values(groupings));
    for (const name of ['toString', 'account', 'line'])
      refusesField(
        () => read(endpoint, `group_by=${name}`),
        'group_by',
        /^group_by must be one of project_id/,
      );
  }
  refusesField(() => read(COSTS, 'group_by=size'), 'group_by');
  refusesField(() => read(VIDEO_USAGE, 'group_by=line_item'), 'group_by');
});

describe('usage is counted', () => {
  const IMAGE: DailyUsage = { ...VIDEO, kind: 'image', model: 'image-3.1-flash-image-preview', size: '1K' };
  const FREE: DailyUsage = { ...VIDEO, amount: null, currency: null };
  const NOBODY: DailyUsage = { ...VIDEO, keyId: `key_${'c'.repeat(16)}`, personId: null, size: '1080p' };
  const ALL = { VIDEO, IMAGE, FREE, NOBODY };
  const included = (endpoint: UsageEndpoint, text: string): string[] =>
    Object.entries(ALL)
      .filter(([, usage]) => read(endpoint, text).includes(usage))
      .map(([name]) => name);

  test('by kind, and for costs if it has a price', () => {
    assert.deepEqual(included(COSTS, ''), ['VIDEO', 'IMAGE', 'NOBODY']);
    assert.deepEqual(included(VIDEO_USAGE, ''), ['VIDEO', 'FREE', 'NOBODY']);
    assert.deepEqual(included(IMAGE_USAGE, ''), ['IMAGE']);
    const hasMoney = [COSTS, VIDEO_USAGE, IMAGE_USAGE].map((each) => read(each, '').hasMoney);
    assert.deepEqual(hasMoney, [true, false, false]);
  });

  test('by filters, which all apply', () => {
    assert.deepEqual(included(COSTS, `api_key_ids=${KEY}`), ['VIDEO', 'IMAGE']);
    assert.deepEqual(included(COSTS, `user_ids=${PERSON}&project_ids=acme`), ['VIDEO', 'IMAGE']);
    assert.deepEqual(included(COSTS, 'project_ids=other'), []);
    assert.deepEqual(included(COSTS, 'line_items=video-3.1-generate-preview'), ['VIDEO', 'NOBODY']);
    assert.deepEqual(included(VIDEO_USAGE, `api_key_ids=${KEY}&user_ids=${PERSON}`), ['VIDEO', 'FREE']);
    assert.deepEqual(included(VIDEO_USAGE, 'sizes=1080p&sizes=4k'), ['NOBODY']);
    assert.deepEqual(included(VIDEO_USAGE, 'models=video-3.1-fast-generate-preview'), []);
    assert.deepEqual(included(IMAGE_USAGE, 'sizes=1K&models=image-3.1-flash-image-preview'), ['IMAGE']);
  });

  test('only by values that exist', () => {
    refusesField(() => read(COSTS, 'line_items=sora-2'), 'line_items', /^line_items must be one of video-/);
    refusesField(() => read(VIDEO_USAGE, 'sizes=1K'), 'sizes');
    refusesField(() => read(IMAGE_USAGE, 'sizes=720p'), 'sizes');
    refusesField(() => read(IMAGE_USAGE, 'models=video-3.1-generate-preview'), 'models');
    refusesField(() => read(COSTS, `api_key_ids=${KEY}&api_key_ids=x`), 'api_key_ids');
    refusesField(() => read(COSTS, `user_ids=${PERSON}&user_ids=x`), 'user_ids');
    refusesField(() => read(COSTS, 'api_sources=x'), 'api_sources', /not supported/);
    refusesField(() => read(VIDEO_USAGE, 'sources=x'), 'sources', /not supported/);
  });
});
