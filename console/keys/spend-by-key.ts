import { useMemo } from 'preact/hooks';
import { plus } from '../../functions/domain/money.ts';
import { serverNow } from '../api/clock.ts';
import { useCosts } from '../api/usage.ts';
import { daysUntil } from '../usage/days.ts';
import { decimalOf } from '../usage/spend.ts';

const DAYS = 30;

/** What each key has spent lately; nothing while that is unknown. */
export const useSpendByKey = (): ReadonlyMap<string, string> => {
  const days = useMemo(() => {
    const [start, end] = daysUntil(serverNow(), DAYS);
    return { start, end };
  }, []);
  const { data } = useCosts(days, 'api_key_id');
  return useMemo(() => {
    const sums = new Map<string, string>();
    for (const { api_key_id, amount } of data?.flatMap(({ results }) => results) ?? [])
      if (api_key_id !== null) sums.set(api_key_id, plus(sums.get(api_key_id) ?? '0', decimalOf(amount)));
    return sums;
  }, [data]);
};
