import type { ChargeRecord } from '../domain/billing.ts';
import { dailyUseOf } from '../domain/daily-use.ts';
import { sumUse, type UseSum } from '../domain/use-sums.ts';
import { chargePage } from './charge-object.ts';
import { rateLimitList, rateLimitsOf, spendLimitObject } from './limit-object.ts';
import { bucketPage, costResult, imageUsageResult, videoUsageResult } from './use-object.ts';

/** Examples of costs and limits, built by what builds the answers. */

const DAY = '2026-01-15';
const TIME = Date.parse(`${DAY}T09:30:00Z`);

const charge: ChargeRecord = {
  kind: 'video',
  id: 'task_01kf0t8zxg00000000000000ab',
  account: 'example',
  keyId: 'key_0123456789abcdef',
  taskId: 'task_01kf0t8zxg00000000000000ab',
  model: 'video-3.1-generate-preview',
  resolution: '720p',
  seconds: 8,
  unitPrice: '0.40',
  amount: '3.20',
  currency: 'USD',
  time: TIME,
};
const use = dailyUseOf(charge);
const image = {
  ...use,
  kind: 'image',
  model: 'image-3.1-flash-image-preview',
  size: '1K',
  quantity: 1,
} as const;

const page = <Result>(sums: readonly UseSum[], resultOf: (sum: UseSum) => Result) => ({
  page: bucketPage({ days: [{ day: DAY, sums }], next: undefined }, resultOf),
});

export const USAGE_EXAMPLES = {
  costs: page(sumUse([use], ['model']), costResult),
  videos: page(sumUse([use], ['model', 'size']), videoUsageResult),
  images: page(sumUse([image], ['model', 'size']), imageUsageResult),
  charges: { page: chargePage([charge], false) },
  spendLimit: { limit: spendLimitObject({ budget: '100', used: '3.20', currency: 'USD' }, TIME) },
  rateLimits: {
    limits: rateLimitList(
      rateLimitsOf({ monthlyBudget: undefined, videosAtOnce: 5, createsPerMinute: 30 }),
      () => undefined,
    ),
  },
} as const;
