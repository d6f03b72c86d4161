import { VIDEO_MODELS } from '../../functions/domain/models.ts';
import { TASK_STATUSES } from '../api/shapes.ts';
import { Field } from '../parts/field.tsx';
import { texts } from '../texts.ts';

export type Filters = { readonly search: string; readonly status: string; readonly model: string };

type Props = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

export const TaskFilters = ({ filters, onChange }: Props) => (
  <search class="filters">
    <Field label={texts.tasks.search}>
      {(control) => (
        <input
          {...control}
          type="search"
          data-search
          dir="auto"
          value={filters.search}
          onInput={({ currentTarget }) => onChange({ search: currentTarget.value })}
        />
      )}
    </Field>
    <Field label={texts.tasks.status}>
      {(control) => (
        <select
          {...control}
          value={filters.status}
          onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
        >
          <option value="">{texts.tasks.allStatuses}</option>
          {TASK_STATUSES.map((status) => (
            <option key={status} value={status}>
              {texts.states[status]}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field label={texts.form.model}>
      {(control) => (
        <select
          {...control}
          value={filters.model}
          onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
        >
          <option value="">{texts.tasks.allModels}</option>
          {VIDEO_MODELS.map((model) => (
            <option key={model} value={model}>
              {model}
            </option>
          ))}
        </select>
      )}
    </Field>
  </search>
);
