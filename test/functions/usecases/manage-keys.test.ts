import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiKey } from '../../../functions/domain/api-key.ts';
import { createKey } from '../../../functions/usecases/manage-keys.ts';

const NONE = { currency: 'USD', videoSecond: {}, image: {} };
const TERMS = { name: 'a', expiresInSeconds: undefined, monthlyBudget: undefined };

const world = (prices: Parameters<typeof createKey>[0]['prices']) => {
  const added: ApiKey[] = [];
  const keys = {
    add: async (key: ApiKey) => {
      added.push(key);
    },
  };
  return {
    added,
    create: (monthlyBudget?: string) =>
      createKey({ keys, prices }, 'acme', { ...TERMS, monthlyBudget }, Date.UTC(2026, 5, 1)),
  };
};

describe('a new key', () => {
  test('has no monthly budget where nothing has a price', async () => {
    const { create, added } = world(NONE);
    await assert.rejects(create('5'), {
      code: 'invalid_request',
      param: 'monthly_budget',
      message:
        'monthly_budget needs prices, and the service has none: the operator has to set them in the setting prices.',
    });
    assert.deepEqual(added, []);
    const { stored } = await create();
    assert.deepEqual(added, [stored]);
  });

  for (const [what, prices] of [
    ['videos', { ...NONE, videoSecond: { 'video-3.1-generate-preview': '0.40' } }],
    ['images', { ...NONE, image: { '1K': '0.07' } }],
  ] as const)
    test(`may have one where ${what} alone have a price`, async () => {
      const { create, added } = world(prices);
      await create('5');
      assert.deepEqual(
        added.map(({ monthlyBudget }) => monthlyBudget),
        ['5'],
      );
    });
});
