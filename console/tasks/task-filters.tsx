import { useLocation, useSearch } from 'wouter-preact';
import { VIDEO_MODELS } from '../../functions/platform/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { keys as keyQuery } from '../api/keys.ts';
import { useQuery } from '../api/use-query.ts';
import type { TaskFilter } from '../api/videos.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

type Filters = {
  readonly search: string;
  readonly status: string;
  readonly model: string;
  readonly key: string;
  /** Days such as `2026-01-31`, both included. */
  readonly from: string;
  readonly to: string;
};

const STATUSES = [
  'queued',
  'in_progress',
  'completed',
  'failed',
] as const satisfies readonly VideoObject['status'][];

export const NO_FILTERS: Filters = { search: '', status: '', model: '', key: '', from: '', to: '' };

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight in the local time zone, `daysLater` days after `day`; undefined for an invalid day. */
const midnight = (day: string, daysLater: number): number | undefined => {
  const [year = 0, month = 0, date = 0] = DAY_PATTERN.test(day) ? day.split('-').map(Number) : [];
  if (year === 0) return undefined;
  return Math.max(0, new Date(year, month - 1, date + daysLater).getTime() / 1000);
};

/** The filters that the server applies; the page itself searches. */
export const toTaskFilter = ({ status, model, key, from, to }: Filters): TaskFilter => ({
  status,
  model,
  api_key_id: key,
  created_after: midnight(from, 0),
  created_before: midnight(to, 1),
});

/** The filters are part of the URL, so that a view can be shared and the back button undoes a choice. */
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
  };
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(next).toString();
    // Typing replaces the history entry; a choice adds one.
    navigate(query === '' ? '/tasks' : `/tasks?${query}`, { replace: changed.search !== undefined });
  };
  return [filters, change];
};

type DayProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly min?: string;
  readonly max?: string;
};

const Day = ({ label, value, onChange, min, max }: DayProps) => (
  <Field label={label}>
    {(control) => (
      <input
        {...control}
        type="date"
        value={value}
        min={min}
        max={max}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);

type Props = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

export const TaskFilters = ({ filters, onChange }: Props) => {
  const { project_id, id } = useCurrentSession();
  const { data: keys } = useQuery(keyQuery, project_id);
  return (
    <search class="filters">
      <Field label={texts.tasks.search}>
        {(control) => (
          <input
            {...control}
            type="search"
            data-search
            dir="auto"
            placeholder={texts.tasks.searchPlaceholder}
            value={filters.search}
            onInput={({ currentTarget }) => onChange({ search: currentTarget.value })}
          />
        )}
      </Field>
      <SelectField
        label={texts.tasks.status}
        value={filters.status}
        options={[
          ['', texts.tasks.allStatuses],
          ...STATUSES.map((status) => [status, texts.states[status]] as const),
        ]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={texts.form.model}
        value={filters.model}
        options={[['', texts.tasks.allModels], ...VIDEO_MODELS.map((model) => [model, model] as const)]}
        onChange={(model) => onChange({ model })}
      />
      <SelectField
        label={texts.keys.key}
        value={filters.key}
        options={[
          ['', texts.tasks.allKeys],
          [id, texts.tasks.thisSession],
          ...(keys?.data.map((key) => [key.id, key.name] as const) ?? []),
        ]}
        onChange={(key) => onChange({ key })}
      />
      <Day
        label={texts.tasks.from}
        value={filters.from}
        max={filters.to}
        onChange={(from) => onChange({ from })}
      />
      <Day label={texts.tasks.to} value={filters.to} min={filters.from} onChange={(to) => onChange({ to })} />
    </search>
  );
};
