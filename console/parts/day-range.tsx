import { texts } from '../texts/texts.ts';
import { Field } from './field.tsx';

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

/** Not part of field.tsx, because the first page has no such field. */
export const DayRange = ({ range: { from, to }, onChange }: Props) => (
  <div class="day-range">
    <DayField label={texts.library.from} value={from} max={to} onChange={(day) => onChange({ from: day })} />
    <DayField label={texts.library.to} value={to} min={from} onChange={(day) => onChange({ to: day })} />
  </div>
);
