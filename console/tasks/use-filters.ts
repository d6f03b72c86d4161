import { useLocation, useSearch } from 'wouter-preact';
import type { TaskFilter } from '../api/videos.ts';
import type { Filters, NO_FILTERS } from './task-filters.tsx';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight where the reader is, so many days after the named one; nothing for what is no day. */
const midnight = (day: string, daysLater: number): number | undefined => {
  const [year = 0, month = 0, date = 0] = DAY.test(day) ? day.split('-').map(Number) : [];
  if (year === 0) return undefined;
  return Math.max(0, new Date(year, month - 1, date + daysLater).getTime() / 1000);
};

/** What of the filters the server applies; the search is the page's own. */
export const toTaskFilter = ({ status, model, key, from, to }: Filters): TaskFilter => ({
  status,
  model,
  api_key_id: key,
  created_after: midnight(from, 0),
  created_before: midnight(to, 1),
});

/** The filters are in the address, so that a view can be shared and the back button undoes a choice. */
export const useFilters = (): readonly [Filters, (change: Partial<Filters>) => void] => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const filters = {
    search: search.get('search') ?? '',
    status: search.get('status') ?? '',
    model: search.get('model') ?? '',
    key: search.get('key') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  } satisfies typeof NO_FILTERS;
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(next).toString();
    // Typing is not a step to go back to; a choice is.
    navigate(query === '' ? '/tasks' : `/tasks?${query}`, { replace: changed.search !== undefined });
  };
  return [filters, change];
};
