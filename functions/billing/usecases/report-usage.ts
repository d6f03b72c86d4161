import type { ListedCharge } from '../domain/charges.ts';
import { dayAfter } from '../domain/periods.ts';
import type { ChargeList, ChargeQuery, UsageRepository } from '../domain/ports.ts';
import { type DailyUsage, sumUsage, type UsageQuery, type UsageReport } from '../domain/usage.ts';

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

/** Returns one page; one more record is read to find out whether there is a next page. */
export const listCharges = async (
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
