import { type ChargeRecord, chargeFor } from '../../../functions/billing/domain/charges.ts';
import type { DailyUsage } from '../../../functions/billing/domain/usage.ts';
import { MODEL } from '../http.ts';

/** Prices with four decimals; the fast model has none. */
export const PRICES = {
  currency: 'USD',
  videoSecond: { [MODEL]: '0.4025' },
  image: { '1K': '0.0671', '2K': '0.1009' },
};

/** A video of 8 seconds, for 3.22 USD. */
export const aVideoCharge = (change: Partial<ChargeRecord> = {}): ChargeRecord => ({
  ...chargeFor(MODEL, 8, PRICES),
  kind: 'video',
  id: 'task_1',
  account: 'acme',
  keyId: 'key_1',
  personId: undefined,
  upstream: 'default',
  upstreamCost: undefined,
  taskId: change.id ?? 'task_1',
  model: MODEL,
  resolution: '720p',
  time: Date.UTC(2026, 10, 15, 10, 0, 30),
  ...change,
});

/** The use of a day by one key: a video, of which no upstream has said what it costs. */
export const aDailyUsage = (change: Partial<DailyUsage> = {}): DailyUsage => ({
  account: 'acme',
  day: '2026-11-30',
  keyId: 'key_1',
  personId: 'user_1',
  kind: 'video',
  model: MODEL,
  size: '720p',
  quantity: 8,
  requests: 1,
  amount: '3.20',
  currency: 'USD',
  cost: null,
  costCurrency: null,
  ...change,
});
