import type { ListedCharge } from '../domain/billing.ts';
import { dayAfter } from '../domain/periods.ts';
import type { ChargeList, ChargeQuery, UsageRepository } from '../domain/ports.ts';
import { type DailyUse, sumUse, type UseQuery, type UseReport } from '../domain/usage.ts';

const withoutMoney = (use: DailyUse): DailyUse => ({ ...use, amount: null, currency: null });

/** The daily sums of one account; its charges are not read. */
export const reportUse = async (
  usage: UsageRepository,
  account: string,
  { from, to, limit, by, hasMoney, includes }: UseQuery,
): Promise<UseReport> => {
  const after = dayAfter(from, limit);
  const hasMore = after <= to;
  const last = hasMore ? dayAfter(after, -1) : to;
  const found = new Map<string, DailyUse[]>();
  for (let day = from; day <= last; day = dayAfter(day, 1)) found.set(day, []);
  for await (const use of usage.days(account, from, last)) if (includes(use)) found.get(use.day)?.push(use);
  return {
    days: [...found].map(([day, uses]) => ({
      day,
      sums: sumUse(hasMoney ? uses : uses.map(withoutMoney), by),
    })),
    next: hasMore ? after : undefined,
  };
};

/** One page; a record more is read to know whether there is another. */
export const pageOfCharges = async (
  charges: ChargeList,
  account: string,
  { limit, ...query }: Omit<ChargeQuery, 'atOnce'> & { readonly limit: number },
): Promise<{ readonly charges: readonly ListedCharge[]; readonly hasMore: boolean }> => {
  const found: ListedCharge[] = [];
  for await (const charge of charges.list(account, { ...query, atOnce: limit + 1 })) {
    if (found.length === limit) return { charges: found, hasMore: true };
    found.push(charge);
  }
  return { charges: found, hasMore: false };
};
