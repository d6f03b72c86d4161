import { useLocation, useSearch } from 'wouter-preact';
import { texts } from '../texts/texts.ts';
import { Field, SelectField, type SelectOptions } from './field.tsx';

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight in the local time zone, `daysLater` days after `day`; undefined for an invalid day. */
export const midnight = (day: string, daysLater: number): number | undefined => {
  const [year = 0, month = 0, date = 0] = DAY_PATTERN.test(day) ? day.split('-').map(Number) : [];
  if (year === 0) return undefined;
  return Math.max(0, new Date(year, month - 1, date + daysLater).getTime() / 1000);
};

type DayProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly min?: string;
  readonly max?: string;
};

const DayField = ({ label, value, onChange, min, max }: DayProps) => (
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

/** Days such as `2026-01-31`, both included; empty for an open end. */
type Range = { readonly from: string; readonly to: string };
type Props = { readonly range: Range; readonly onChange: (change: Partial<Range>) => void };

export const DayRange = ({ range: { from, to }, onChange }: Props) => (
  <div class="day-range">
    <DayField label={texts.library.from} value={from} max={to} onChange={(day) => onChange({ from: day })} />
    <DayField label={texts.library.to} value={to} min={from} onChange={(day) => onChange({ to: day })} />
  </div>
);

type Values = Readonly<Record<string, string>>;

/** Ignores what is not a filter. */
export const readFilters = <Filters extends Values>(query: string, none: Filters): Filters => {
  const known = [...new URLSearchParams(query)].filter(([name]) => name in none);
  return { ...none, ...Object.fromEntries(known) };
};

/** The filters are part of the URL, so that a view can be shared and the back button undoes a choice. */
export const useUrlFilters = <Filters extends Values>(path: string, none: Filters) => {
  const [, navigate] = useLocation();
  const filters = readFilters(useSearch(), none);
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries<string>({ ...filters, ...changed }).filter(([, value]) => value !== '');
    // Typing replaces the history entry; a choice adds one.
    navigate(next.length === 0 ? path : `${path}?${new URLSearchParams(next)}`, {
      replace: 'search' in changed,
    });
  };
  return [filters, change] as const;
};

type SelectsProps<Name extends string> = {
  /** The first option of each is the empty value. */
  readonly selects: readonly (readonly [name: Name, label: string, options: SelectOptions])[];
  readonly filters: Readonly<Record<Name, string>>;
  readonly onChange: (change: Partial<Record<Name, string>>) => void;
};

export const FilterSelects = <Name extends string>({ selects, filters, onChange }: SelectsProps<Name>) =>
  selects.map(([name, label, options]) => (
    <SelectField
      key={name}
      label={label}
      value={filters[name]}
      options={options}
      onChange={(value) => {
        const change: Partial<Record<Name, string>> = {};
        change[name] = value;
        onChange(change);
      }}
    />
  ));
