import type { ListedCharge } from './billing.ts';
import { dayOf } from './periods.ts';

/** What one key made of one model in one size on one UTC day. */
export type DailyUse = {
  readonly account: string;
  readonly day: string;
  readonly keyId: string;
  readonly kind: 'video' | 'image';
  readonly model: string;
  /** The resolution of videos, the size of images. */
  readonly size: string;
  /** Seconds of video, or images. */
  readonly quantity: number;
  readonly requests: number;
  /** Null where no price was configured. */
  readonly amount: string | null;
  readonly currency: string | null;
};

/** What a charge adds to its day. */
export const dailyUseOf = (charge: ListedCharge): DailyUse => ({
  account: charge.account,
  day: dayOf(charge.time),
  keyId: charge.keyId,
  kind: charge.kind,
  model: charge.model,
  size: charge.kind === 'video' ? charge.resolution : charge.size,
  quantity: charge.kind === 'video' ? charge.seconds : charge.images,
  requests: 1,
  amount: charge.amount,
  currency: charge.currency,
});

/** Sums of different currencies, and of what had no price, are kept apart. */
export const entryOf = ({ day, keyId, model, size, currency }: DailyUse): string =>
  ['day', day, keyId, model, size, currency ?? ''].join('#');
