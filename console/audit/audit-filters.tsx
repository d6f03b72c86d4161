import { useLocation, useSearch } from 'wouter-preact';
import { useQuery } from '../api/hooks.ts';
import { type AuditFilter, personName, users as userQuery } from '../api/organization.ts';
import { DayField, midnight } from '../parts/day-field.tsx';
import { SelectField } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

/** Days such as `2026-01-31`, both included. */
type Filters = { readonly type: string; readonly person: string; readonly from: string; readonly to: string };

export const NO_FILTERS: Filters = { type: '', person: '', from: '', to: '' };

export const toAuditFilter = ({ type, person, from, to }: Filters): AuditFilter => ({
  type,
  person,
  from: midnight(from, 0),
  to: midnight(to, 1),
});

/** The filters are part of the URL, so that a view can be shared and the back button undoes a choice. */
export const useAuditFilters = (): readonly [Filters, (change: Partial<Filters>) => void] => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const filters = {
    type: search.get('type') ?? '',
    person: search.get('person') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  };
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    navigate(next.length === 0 ? '/audit' : `/audit?${new URLSearchParams(next)}`);
  };
  return [filters, change];
};

type Props = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

export const AuditFilters = ({ filters, onChange }: Props) => {
  const { project_id } = useCurrentSession();
  const { data: users = [] } = useQuery(userQuery, project_id);
  return (
    <search class="audit-filters">
      <SelectField
        label={texts.audit.type}
        value={filters.type}
        options={[['', texts.audit.allTypes], ...Object.entries(texts.audit.types)]}
        onChange={(type) => onChange({ type })}
      />
      <SelectField
        label={texts.people.person}
        value={filters.person}
        options={[['', texts.people.everybody], ...users.map((user) => [user.id, personName(user)] as const)]}
        onChange={(person) => onChange({ person })}
      />
      <DayField
        label={texts.library.from}
        value={filters.from}
        max={filters.to}
        onChange={(from) => onChange({ from })}
      />
      <DayField
        label={texts.library.to}
        value={filters.to}
        min={filters.from}
        onChange={(to) => onChange({ to })}
      />
    </search>
  );
};
