import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  rateLimitList,
  rateLimitObjects,
  spendLimitObject,
} from '../../../../functions/billing/api/limit-object.ts';
import { storageLimitObject } from '../../../../functions/billing/api/storage-object.ts';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { NO_LIMITS } from '../../../support/builders/limiter.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const NOW = Date.UTC(2026, 10, 18);

test('a spend limit is enforcing once the budget is used up', () => {
  const limit = { budget: '19.95', used: '19.94', currency: 'USD' };
  const shown = {
    object: 'project.spend_limit',
    currency: 'USD',
    interval: 'month',
    threshold_amount: 1995,
    enforcement: { status: 'inactive' },
    budget: '19.95',
    used: '19.94',
    resets_at: Date.UTC(2026, 11) / 1000,
  };
  assert.deepEqual(spendLimitObject(limit, NOW), shown);
  assert.equal(spendLimitObject({ ...limit, used: '19.95' }, NOW).enforcement.status, 'enforcing');
});

test('the storage for kept items has the limit of the account, the default or none, and a cost', () => {
  const cost = (amount: string) => ({ amount, currency: 'USD' });
  const used = { used_bytes: 10 * 2 ** 30, used_cost: cost('0.23') };
  const shown = { object: 'project.storage_limit', ...used, default_limit_bytes: 5_000_000 };
  for (const [ownMegabytes, limit_bytes, limit_cost] of [
    [undefined, 5_000_000, cost('0.01')],
    [100_000, 100_000_000_000, cost('2.15')],
    [0, 0, cost('0.00')],
    [null, null, null],
  ] as const) {
    const storage = storageLimitObject({ usedBytes: 10 * 2 ** 30, ownMegabytes }, 5);
    assert.deepEqual(storage, { ...shown, limit_bytes, limit_cost });
  }
});

test('each model has the limits of the account', () => {
  const model = 'video-3.1-generate-preview';
  assert.deepEqual(rateLimitObjects(NO_LIMITS), []);
  const object = 'project.rate_limit';
  const perMinute = { max_requests_per_1_minute: 5, max_tokens_per_1_minute: null };
  assert.deepEqual(rateLimitObjects({ ...NO_LIMITS, createsPerMinute: 5 }, [model, IMAGE_MODEL]), [
    { id: `rl-${model}`, object, model, ...perMinute, max_videos_at_once: null },
    { id: `rl-${IMAGE_MODEL}`, object, model: IMAGE_MODEL, ...perMinute, max_images_per_1_minute: 5 },
  ]);
  assert.equal(rateLimitObjects({ ...NO_LIMITS, videosAtOnce: 3 })[0]?.max_videos_at_once, 3);
  assert.equal(rateLimitObjects({ ...NO_LIMITS, videosAtOnce: 3 })[0]?.max_requests_per_1_minute, null);
});

test('rate limits have pages in both directions', () => {
  const rows = rateLimitObjects({ ...NO_LIMITS, createsPerMinute: 5 });
  const ids = rows.map(({ id }) => id);
  const page = (text: string) => rateLimitList(rows, toQuery(text).query);
  const [first = '', second = ''] = ids;
  assert.deepEqual(page(''), {
    object: 'list',
    data: rows,
    first_id: first,
    last_id: ids.at(-1),
    has_more: false,
  });
  assert.deepEqual(page('limit=1').data, rows.slice(0, 1));
  assert.equal(page('limit=1').has_more, true);
  assert.equal(page(`limit=${rows.length}`).has_more, false);
  assert.deepEqual(page(`after=${first}`).data, rows.slice(1));
  assert.deepEqual(page(`before=${second}`).data, rows.slice(0, 1));
  for (const name of ['after', 'before']) refusesField(() => page(`${name}=rl-none`), name, /last_id/);
});
