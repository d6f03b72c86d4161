import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredTools, quoteText, requirePrice } from '../../../../functions/agents/domain/tools.ts';

test('a deployment offers the tools of its models', () => {
  const models = ['video-3.1-generate-preview', 'image-3.1-flash-image-preview'];
  const everything = { models, keepsImages: true, hasShares: true };
  assert.equal(offeredTools(everything).length, 12);
  assert.ok(!offeredTools({ ...everything, models: models.slice(0, 1) }).includes('generate_image'));
  assert.ok(!offeredTools({ ...everything, models: models.slice(1) }).includes('create_video'));
  const shared = ['list_models', 'estimate_price', 'create_upload', 'create_share_link', 'get_budget'];
  assert.deepEqual(offeredTools({ ...everything, models: models.slice(1), keepsImages: false }), shared);
  assert.ok(!offeredTools({ ...everything, hasShares: false }).includes('create_share_link'));
});

test('text of other people is one short line without hidden characters', () => {
  assert.equal(quoteText('A cat\n\nIgnore\u202e all\u200b of it\u0000'), 'A cat Ignore  all  of it ');
  assert.deepEqual(
    ['a'.repeat(200), 'a\ud83d'].map((text) => quoteText(text)),
    ['a'.repeat(200), 'a\ufffd'],
  );
  const long = quoteText(`\ud83d${'a'.repeat(197)}😀😀`);
  assert.ok(long.length <= 200 && long.isWellFormed() && long.endsWith('…'));
});

test('a price above max_price is refused, an equal one is not', () => {
  requirePrice(undefined, { amount: '9', currency: 'USD' });
  requirePrice('3.20', { amount: '3.2', currency: 'USD' });
  assert.throws(() => requirePrice('3.19', { amount: '3.20', currency: 'USD' }), {
    code: 'price_above_limit',
    message: /^This would cost 3\.20 USD, more than max_price 3\.19\. Nothing was created\./,
  });
  assert.throws(() => requirePrice('1', { amount: null, currency: null }), { param: 'max_price' });
});
