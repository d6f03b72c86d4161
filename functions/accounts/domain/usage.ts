import { plus } from '../../platform/domain/money.ts';
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

/** What sums can be split by. */
export type UseField = 'account' | 'keyId' | 'model' | 'size';

/** All use that has the same fields; null for a field that the sum is not split by. */
export type UseSum = Readonly<Record<UseField, string | null>> &
  Pick<DailyUse, 'quantity' | 'requests' | 'amount' | 'currency'> & {
    /** Null where the quantity adds seconds to images, and means nothing. */
    readonly kind: DailyUse['kind'] | null;
  };

export type UseQuery = {
  /** The first UTC day of the page, and the last of all pages. */
  readonly from: string;
  readonly to: string;
  /** Days of a page. */
  readonly limit: number;
  readonly by: readonly UseField[];
  /** Sums of money are told apart by currency; those of use alone are not. */
  readonly hasMoney: boolean;
  readonly includes: (use: DailyUse) => boolean;
};

export type UseReport = {
  /** Every day of the page, also those without use. */
  readonly days: readonly { readonly day: string; readonly sums: readonly UseSum[] }[];
  /** Where the next page begins. */
  readonly next: string | undefined;
};

/** Currencies, and what had no price, are never added to each other. */
const keyOf = ({ account, keyId, model, size, currency }: UseSum): string =>
  JSON.stringify([account, keyId, model, size, currency]);

const sumOf = (one: UseSum, other: UseSum): UseSum => ({
  ...one,
  kind: one.kind === other.kind ? one.kind : null,
  quantity: one.quantity + other.quantity,
  requests: one.requests + other.requests,
  amount: one.amount === null || other.amount === null ? one.amount : plus(one.amount, other.amount),
});

/** Sums by the given fields, in the order of those. */
export const sumUse = (days: Iterable<DailyUse>, by: readonly UseField[]): UseSum[] => {
  const sums = new Map<string, UseSum>();
  for (const use of days) {
    const split = (field: UseField): string | null => (by.includes(field) ? use[field] : null);
    const { kind, quantity, requests, amount, currency } = use;
    const fields = {
      account: split('account'),
      keyId: split('keyId'),
      model: split('model'),
      size: split('size'),
    };
    const added = { ...fields, kind, quantity, requests, amount, currency };
    const key = keyOf(added);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? added : sumOf(sum, added));
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
};
