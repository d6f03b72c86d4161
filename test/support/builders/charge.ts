import { type ChargeRecord, chargeFor } from '../../../functions/billing/domain/charges.ts';
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
