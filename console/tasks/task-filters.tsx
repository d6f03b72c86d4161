import { VIDEO_MODELS } from '../../functions/platform/domain/models.ts';
import { keys as keyQuery } from '../api/keys.ts';
import { TASK_STATUSES } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { Field } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';

export type Filters = {
  readonly search: string;
  readonly status: string;
  readonly model: string;
  readonly key: string;
  /** Days as `2026-01-31`, both included. */
  readonly from: string;
  readonly to: string;
};

export const NO_FILTERS: Filters = { search: '', status: '', model: '', key: '', from: '', to: '' };

type SelectProps = {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
};

const Select = ({ label, all, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    {(control) => (
      <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{all}</option>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type DayProps = Pick<SelectProps, 'label' | 'value' | 'onChange'> & {
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
      <Select
        label={texts.tasks.status}
        all={texts.tasks.allStatuses}
        value={filters.status}
        options={TASK_STATUSES.map((status) => [status, texts.states[status]] as const)}
        onChange={(status) => onChange({ status })}
      />
      <Select
        label={texts.form.model}
        all={texts.tasks.allModels}
        value={filters.model}
        options={VIDEO_MODELS.map((model) => [model, model] as const)}
        onChange={(model) => onChange({ model })}
      />
      <Select
        label={texts.keys.key}
        all={texts.tasks.allKeys}
        value={filters.key}
        options={[
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
