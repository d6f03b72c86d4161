import { useMemo } from 'preact/hooks';
import { plus } from '../../functions/platform/domain/money.ts';
import { serverNow } from '../api/clock.ts';
import { useCosts } from '../api/usage.ts';
import { daysUntil } from '../usage/days.ts';
import { decimalOf } from '../usage/spend.ts';

const DAYS = 30;

type Spend = { readonly sums: ReadonlyMap<string, string>; readonly error: Error | null };

/** What each key has spent lately; nothing while that is unknown. */
export const useSpendByKey = (): Spend => {
  const days = useMemo(() => {
    const [start, end] = daysUntil(serverNow(), DAYS);
    return { start, end };
  }, []);
  const { data, error } = useCosts(days, 'api_key_id');
  const sums = useMemo(() => {
    const byKey = new Map<string, string>();
    for (const { api_key_id, amount } of data?.flatMap(({ results }) => results) ?? [])
      if (api_key_id !== null) byKey.set(api_key_id, plus(byKey.get(api_key_id) ?? '0', decimalOf(amount)));
    return byKey;
  }, [data]);
  return { sums, error };
};
