import type { ChargeList, ChargeQuery } from '../../platform/domain/ports.ts';
import type { ListedCharge } from '../domain/billing.ts';

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
