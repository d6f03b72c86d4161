import { type Cost, plus } from '../../platform/domain/money.ts';
import type { ListedCharge } from './charges.ts';
import { dayAfter, toUtcDay } from './periods.ts';

/** Usage of one key, person, model and size on one UTC day. */
export type DailyUsage = {
  readonly account: string;
  readonly day: string;
  readonly keyId: string;
  /** Null if the key or session belonged to the account. The owner of a key can change. */
  readonly personId: string | null;
  readonly kind: 'video' | 'image';
  readonly model: string;
  /** The resolution of videos, the size of images. */
  readonly size: string;
  /** Seconds of video, or images. */
  readonly quantity: number;
  readonly requests: number;
  /** Null if no price was configured. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** The upstreams' own charges, for the operator. Null if they are unknown; then none of the requests has one. */
  readonly cost: string | null;
  readonly costCurrency: string | null;
};

export const toDailyUsage = (
  charge: ListedCharge & { readonly upstreamCost?: Cost | undefined },
): DailyUsage => ({
  account: charge.account,
  day: toUtcDay(charge.time),
  keyId: charge.keyId,
  personId: charge.personId ?? null,
  kind: charge.kind,
  model: charge.model,
  size: charge.kind === 'video' ? charge.resolution : charge.size,
  quantity: charge.kind === 'video' ? charge.seconds : charge.images,
  requests: 1,
  amount: charge.amount,
  currency: charge.currency,
  cost: charge.upstreamCost?.amount ?? null,
  costCurrency: charge.upstreamCost?.currency ?? null,
});

/** Different currencies, usage without a price, and usage with and without a known cost are summed separately. */
export const dailyUsageEntry = (usage: DailyUsage): string => {
  const { day, keyId, personId, model, size, currency, costCurrency } = usage;
  const parts = ['day', day, keyId, personId ?? '', model, size, currency ?? ''];
  return (costCurrency === null ? parts : [...parts, costCurrency]).join('#');
};

/** Fields by which usage can be grouped. */
export type UsageField = 'account' | 'keyId' | 'personId' | 'model' | 'size';

/** The total of one group; a field that is not grouped by is null, and so is the person of usage without one. */
export type UsageSum = Readonly<Record<UsageField, string | null>> &
  Pick<DailyUsage, 'quantity' | 'requests' | 'amount' | 'currency'> & {
    /** Null if the group has both videos and images, whose quantities cannot be added. */
    readonly kind: DailyUsage['kind'] | null;
    /** The upstreams' own charges by currency, and how many of the requests have one. */
    readonly costs: readonly Cost[];
    readonly costRequests: number;
  };

export type UsageQuery = {
  /** The first UTC day of the page. */
  readonly from: string;
  /** The last UTC day of all pages. */
  readonly to: string;
  /** Days per page. */
  readonly limit: number;
  readonly by: readonly UsageField[];
  /** Whether amounts are reported, with a separate sum for each currency. */
  readonly hasMoney: boolean;
  readonly includes: (usage: DailyUsage) => boolean;
};

export type UsageReport = {
  /** Every day of the page, including days without usage. */
  readonly days: readonly { readonly day: string; readonly sums: readonly UsageSum[] }[];
  /** The first day of the next page. */
  readonly next: string | undefined;
};

const groupKey = ({ account, keyId, personId, model, size, currency }: UsageSum): string =>
  JSON.stringify([account, keyId, personId, model, size, currency]);

const addCosts = (one: readonly Cost[], other: readonly Cost[]): readonly Cost[] => {
  const sums = new Map(one.map(({ currency, amount }) => [currency, amount]));
  for (const { currency, amount } of other) sums.set(currency, plus(sums.get(currency) ?? '0', amount));
  return Array.from(sums, ([currency, amount]) => ({ amount, currency }));
};

const addSums = (one: UsageSum, other: UsageSum): UsageSum => ({
  ...one,
  kind: one.kind === other.kind ? one.kind : null,
  quantity: one.quantity + other.quantity,
  requests: one.requests + other.requests,
  amount: one.amount === null || other.amount === null ? one.amount : plus(one.amount, other.amount),
  costs: addCosts(one.costs, other.costs),
  costRequests: one.costRequests + other.costRequests,
});

export const toCosts = (usage: DailyUsage): Pick<UsageSum, 'costs' | 'costRequests'> => {
  const { cost: amount, costCurrency: currency, requests } = usage;
  if (amount === null || currency === null) return { costs: [], costRequests: 0 };
  return { costs: [{ amount, currency }], costRequests: requests };
};

/** Sums usage by the given fields, sorted by them. */
export const sumUsage = (days: Iterable<DailyUsage>, by: readonly UsageField[]): UsageSum[] => {
  const sums = new Map<string, UsageSum>();
  for (const usage of days) {
    const grouped = (field: UsageField): string | null => (by.includes(field) ? usage[field] : null);
    const { kind, quantity, requests, amount, currency } = usage;
    const fields = {
      account: grouped('account'),
      keyId: grouped('keyId'),
      personId: grouped('personId'),
      model: grouped('model'),
      size: grouped('size'),
    };
    const added = { ...fields, kind, quantity, requests, amount, currency, ...toCosts(usage) };
    const key = groupKey(added);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? added : addSums(sum, added));
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
};

export type UsageRepository = {
  /** An account's usage on the UTC days (such as `2026-11-15`) from the first to the last, both included. */
  days(account: string, from: string, to: string): AsyncIterable<DailyUsage>;
};

const withoutMoney = (usage: DailyUsage): DailyUsage => ({ ...usage, amount: null, currency: null });

/** Reports an account's daily sums, which are kept separately from its charges. */
export const reportUsage = async (
  usage: UsageRepository,
  account: string,
  { from, to, limit, by, hasMoney, includes }: UsageQuery,
): Promise<UsageReport> => {
  const after = dayAfter(from, limit);
  const hasMore = after <= to;
  const last = hasMore ? dayAfter(after, -1) : to;
  const found = new Map<string, DailyUsage[]>();
  for (let day = from; day <= last; day = dayAfter(day, 1)) found.set(day, []);
  for await (const entry of usage.days(account, from, last))
    if (includes(entry)) found.get(entry.day)?.push(entry);
  return {
    days: [...found].map(([day, entries]) => ({
      day,
      sums: sumUsage(hasMoney ? entries : entries.map(withoutMoney), by),
    })),
    next: hasMore ? after : undefined,
  };
};
