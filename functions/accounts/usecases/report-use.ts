import type { UsageRepository } from '../../platform/domain/ports.ts';
import type { DailyUse } from '../domain/daily-use.ts';
import { dayAfter } from '../domain/periods.ts';
import { sumUse, type UseQuery, type UseReport } from '../domain/use-sums.ts';

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
